/**
 * A type whose optional properties must be named, if only as undefined. An object literal of this type
 * that forgets one does not compile.
 */
export type Complete<Type> = { [Key in keyof Required<Type>]: Type[Key] };

import type { ComponentProps } from 'preact';

const looks = {
  plain: 'button',
  small: 'button button-small',
  primary: 'button button-primary',
  icon: 'icon-button',
  link: 'link-button',
  bar: 'button button-small bar-button',
} as const;

/** A button. It submits a form only if its type says so. */
export function Button({
  look = 'plain',
  class: own,
  ...rest
}: Omit<ComponentProps<'button'>, 'class'> & {
  readonly look?: keyof typeof looks;
  readonly class?: string | undefined;
}) {
  return <button type="button" {...rest} class={[looks[look], own ?? []].flat().join(' ')} />;
}

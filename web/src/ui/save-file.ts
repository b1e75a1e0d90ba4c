/** Lets the user save a text as a file. Characters that file systems refuse become dashes. */
export function saveFile(
  text: string,
  {
    name,
    extension,
    type,
  }: { readonly name: string; readonly extension: string; readonly type: string },
): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')}.${extension}`;
  link.click();
  URL.revokeObjectURL(address);
}

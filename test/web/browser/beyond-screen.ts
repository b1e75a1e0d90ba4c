/** Views that {@link places} lacks, with a selector that matches once they are rendered. */
export const furtherViews = [
  { address: '#/panel/IND', ready: 'table.board tbody tr' },
  { address: '#/panel/CED?vista=mapa', ready: '.tile' },
  { address: '#/panel/CED?vista=mural', ready: '.wall-rows li' },
  { address: '#/lista/Mesa?especies=GGAL,DOLAR+MEP', ready: 'table.board tbody tr' },
  { address: '#/api/streamCotizaciones', ready: '.trial' },
];

/** What is wider than the screen, or a control outside of it. Runs in the page. */
export function beyondScreen(): readonly string[] {
  const isWide = document.documentElement.scrollWidth > innerWidth;
  const shown = document.querySelectorAll(
    isWide ? 'body *' : 'button, a:not(.skip), input, select',
  );
  const outside = [...shown]
    .filter((element) => {
      // What is in a box that scrolls can be reached.
      for (let one = element.parentElement; one !== null; one = one.parentElement) {
        const { overflowX } = getComputedStyle(one);
        const scrolls = overflowX === 'auto' || overflowX === 'scroll';
        if (scrolls && one.scrollWidth > one.clientWidth) return false;
      }
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > innerWidth + 1);
    })
    .map(({ tagName, className }) => `${tagName} ${className}`);
  // A text or a part of an element can be wider than the screen too.
  return isWide ? [`${document.documentElement.scrollWidth} pixels`, ...outside] : outside;
}

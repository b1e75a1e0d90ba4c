import type { Plugin } from 'vite';

/** Makes pages load the typeface at once, not only after the stylesheet that names it. */
export function preloadFont(): Plugin {
  return {
    name: 'pizarra:preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => name.endsWith('.woff2'));
        if (font === undefined) return [];
        const attrs = {
          rel: 'preload',
          as: 'font',
          type: 'font/woff2',
          href: `./${font}`,
          crossorigin: '',
        };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

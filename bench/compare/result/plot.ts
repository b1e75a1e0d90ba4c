import type { CaseReport, Report } from './report.ts';

const barHeight = 14;
const groupGap = 16;
const left = 190;
const width = 900;
const top = 64;
/** Colours that also differ in brightness, so that they are distinguishable without colour. */
const colours = ['#0b5cad', '#5b8c5a', '#b7b7b7', '#d98a3d', '#a8477a', '#5a4b8a'] as const;

/**
 * The processor time per request of every side, as an SVG with bars. The scale is logarithmic, because the
 * sides are orders of magnitude apart.
 */
export function plot(report: Report): string {
  const names = report.sides.filter((side) => side.skipped === undefined);
  const values = report.cases.flatMap((one) => names.flatMap(({ name }) => cpuOf(one, name) ?? []));
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  const x = (us: number): number =>
    left + ((Math.log10(us) - from) / (to - from)) * (width - left - 70);
  const parts: string[] = [];
  let y = top;
  for (const one of report.cases) {
    const first = y;
    for (const [index, { name }] of names.entries()) {
      const us = cpuOf(one, name);
      if (us === undefined) continue;
      const colour = colours[index % colours.length];
      const length = Math.max(x(us) - left, 1).toFixed(1);
      parts.push(
        `<rect x="${left}" y="${y}" width="${length}" height="${barHeight - 2}" fill="${colour}"/>`,
        `<text x="${(x(us) + 4).toFixed(1)}" y="${y + 10}">${us < 100 ? us.toFixed(1) : us.toFixed(0)}</text>`,
      );
      y += barHeight;
    }
    const middle = (first + y) / 2 + 3;
    parts.push(`<text x="${left - 8}" y="${middle}" text-anchor="end">${one.title}</text>`);
    y += groupGap;
  }
  const grid = Array.from({ length: to - from + 1 }, (_, index) => {
    const at = x(10 ** (from + index)).toFixed(1);
    return (
      `<line x1="${at}" y1="${top - 8}" x2="${at}" y2="${y - groupGap}" stroke="#ddd"/>` +
      `<text x="${at}" y="${top - 12}" text-anchor="middle">${10 ** (from + index)}</text>`
    );
  });
  const legend = names.map(({ title }, index) => {
    const at = left + (index % 3) * 220;
    const line = 10 + Math.floor(index / 3) * 16;
    return (
      `<rect x="${at}" y="${line}" width="10" height="10" fill="${colours[index % colours.length]}"/>` +
      `<text x="${at + 15}" y="${line + 9}">${title}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="11">`,
    `<title>Processor time per request, in microseconds; shorter is better</title>`,
    `<rect width="${width}" height="${y}" fill="#fff"/>`,
    `<text x="8" y="19">CPU µs per request</text>`,
    ...legend,
    ...grid,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function cpuOf(one: CaseReport, name: string): number | undefined {
  const side = one.sides[name];
  return side === undefined || 'skipped' in side ? undefined : side.cpuUs.median;
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { heatSteps } from './heat-tiles.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const normal: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** What people without one kind of receptor see (Machado, Oliveira, Fernandes, 2009), in linear sRGB. */
const deuteranopia: Matrix = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
const protanopia: Matrix = [
  [0.152286, 1.052583, -0.204868],
  [0.114503, 0.786281, 0.099216],
  [-0.003882, -0.048116, 1.051998],
];
const toXyz: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];

const tokens = await readFile(new URL('../../styles/tokens.css', import.meta.url), 'utf8');
const palettes = ['usual', 'safe'] as const;
type Palette = (typeof palettes)[number];

/** The colour of a step in the styles, in linear sRGB. */
function colourOf(step: number, palette: Palette): Triple {
  const [, safe = ''] = tokens.split("[data-palette='safe']");
  const name = `--tile${step}`;
  const own = new RegExp(`${name}: #([0-9a-f]{6});`).exec(
    palette === 'safe' && step !== 0 ? safe : tokens,
  )?.[1];
  const hex = own ?? assert.fail(`no colour of ${step}`);
  const linear = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [linear(0), linear(2), linear(4)];
}

function times(matrix: Matrix, [x, y, z]: Triple): Triple {
  const row = ([a, b, c]: Triple) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

/** A colour as an eye sees it, in CIE Lab (D65). */
function seen(step: number, eye: Matrix, palette: Palette): Triple {
  const [r, g, b] = times(eye, colourOf(step, palette));
  const [x, y, z] = times(toXyz, [clamp(r), clamp(g), clamp(b)]);
  const [fx, fy, fz] = [lightness(x / 0.95047), lightness(y), lightness(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** The compression of CIE Lab. */
function lightness(value: number): number {
  return value > 216 / 24_389 ? Math.cbrt(value) : ((24_389 / 27) * value + 16) / 116;
}

/** The distance of two colours (CIE 1976). About 2 is the least that is noticed. */
function distance(one: number, other: number, eye: Matrix, palette: Palette): number {
  const [a, b] = [seen(one, eye, palette), seen(other, eye, palette)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const sights = [
  ['normal', normal, 'usual'],
  ['normal', normal, 'safe'],
  ['deuteranopia', deuteranopia, 'safe'],
  ['protanopia', protanopia, 'safe'],
] as const;

for (const [name, eye, palette] of sights) {
  test(`rises and falls of one strength, and each strength, differ with ${name} sight in the ${palette} palette`, () => {
    for (const step of [1, 2, 3]) {
      assert.ok(
        distance(step, -step, eye, palette) >= 15,
        `${step}: ${distance(step, -step, eye, palette)}`,
      );
      for (const way of [-1, 1]) {
        const further = distance(way * step, way * (step - 1), eye, palette);
        assert.ok(further >= 8, `${way * step}: ${further}`);
      }
    }
  });
}

test('white text has a contrast of at least 4.5 on every colour', () => {
  for (const palette of palettes) {
    for (const step of heatSteps) {
      const [, luminance] = times(toXyz, colourOf(step, palette));
      assert.ok(1.05 / (luminance + 0.05) >= 4.5, `${step} ${palette}`);
    }
  }
});

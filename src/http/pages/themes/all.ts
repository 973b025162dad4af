/** The design tokens of a theme: every colour, font and width of the pages. Colours have a value for light and one for dark mode. */
export interface Tokens {
  /** Of texts and headings. */
  readonly font: string;
  /** Of menus, dates, forms and buttons. */
  readonly sans: string;
  readonly mono: string;
  readonly text: string;
  readonly muted: string;
  readonly back: string;
  readonly raised: string;
  readonly accent: string;
  /** On the accent. */
  readonly contrast: string;
  readonly line: string;
  /** Size of texts; the scale of headings follows from it. */
  readonly size: string;
  /** Of a column of text. */
  readonly width: string;
  /** Of headers, lists and what is aligned wide. */
  readonly wide: string;
  readonly space: string;
  readonly radius: string;
}

const palatino =
  '"Iowan Old Style", "Palatino Linotype", Palatino, P052, "Book Antiqua", "Liberation Serif", Georgia, serif';

/** Parchment, iron gall ink and the red of rubrics. */
export const plainTokens: Tokens = {
  font: palatino,
  sans: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", sans-serif',
  mono: 'ui-monospace, "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace',
  text: 'light-dark(#241c15, #ece4d6)',
  muted: 'light-dark(#655746, #b5a894)',
  back: 'light-dark(#fcf9f2, #1a1714)',
  raised: 'light-dark(#f3ecde, #25211c)',
  accent: 'light-dark(#97301b, #ec9a80)',
  contrast: 'light-dark(#fffaf2, #21150f)',
  line: 'light-dark(#dccfb9, #453c32)',
  size: '1.1875rem',
  width: '42rem',
  wide: '66rem',
  space: '1.5rem',
  radius: '.375rem',
};

/** What themes change of the first one, by their slugs. Themes with other slugs look like it. */
const looks: ReadonlyMap<string, Partial<Tokens>> = new Map([
  [
    'wide',
    {
      font: plainTokens.sans,
      text: 'light-dark(#16202a, #e3e9ef)',
      muted: 'light-dark(#526171, #a3b1bf)',
      line: 'light-dark(#cfd8e0, #34414d)',
      back: 'light-dark(#ffffff, #12181e)',
      raised: 'light-dark(#eff3f6, #1c252d)',
      accent: 'light-dark(#0b5c6b, #74c7d6)',
      contrast: 'light-dark(#ffffff, #06191d)',
      size: '1.0625rem',
      width: '60rem',
      wide: '80rem',
    },
  ],
  [
    'book',
    {
      font: 'Charter, "Bitstream Charter", Cambria, "Liberation Serif", Georgia, serif',
      text: 'light-dark(#1b1b19, #e6e3dc)',
      muted: 'light-dark(#5d5b55, #aeaaa1)',
      line: 'light-dark(#d8d6cf, #3f3e3a)',
      back: 'light-dark(#fbfbf9, #171716)',
      raised: 'light-dark(#f1f0ec, #222220)',
      accent: 'light-dark(#1f5135, #8fc7a4)',
      contrast: 'light-dark(#ffffff, #0d1a12)',
      size: '1.25rem',
      width: '38rem',
      wide: '54rem',
      space: '2rem',
      radius: '0',
    },
  ],
  [
    'host-ai-theme',
    {
      font: 'Lora, Georgia, serif',
      sans: `Inter, ${plainTokens.sans}`,
      text: 'light-dark(#231c33, #e9e5f2)',
      muted: 'light-dark(#5f5675, #b1a8c6)',
      line: 'light-dark(#dad4e8, #3d3552)',
      back: 'light-dark(#fbfaff, #161221)',
      raised: 'light-dark(#f0edf9, #211b30)',
      accent: 'light-dark(#5b3fa3, #b9a4f2)',
      contrast: 'light-dark(#ffffff, #170f29)',
      width: '46rem',
      space: '2rem',
      radius: '1rem',
    },
  ],
]);

/** What a theme changes of the first one. */
export function lookOf(slug: string | undefined): Partial<Tokens> {
  return looks.get(slug ?? '') ?? {};
}

/** Declarations of the custom properties that style sheets use. */
export function declared(tokens: Partial<Tokens>): string {
  return Object.entries(tokens)
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ');
}

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

/** The design tokens of a theme: every colour, font and width of the pages. */
export interface Tokens {
  readonly font: string;
  readonly text: string;
  readonly back: string;
  readonly accent: string;
  readonly line: string;
  readonly width: string;
  readonly space: string;
}

export const plain: Tokens = {
  font: 'system-ui, sans-serif',
  text: 'CanvasText',
  back: 'Canvas',
  accent: 'LinkText',
  line: 'GrayText',
  width: '42rem',
  space: '1.5rem',
};

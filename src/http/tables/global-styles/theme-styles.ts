/** Default styles of the pages: only the widths in their style sheet. */
export const baseStyles = {
  settings: {
    color: {},
    typography: {},
    spacing: {},
    layout: { contentSize: '42rem', wideSize: '42rem' },
  },
  styles: {},
};

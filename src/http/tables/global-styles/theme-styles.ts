/** What the pages of the site have before anybody sets something: the widths of their style sheet, nothing else. */
export const baseStyles = {
  settings: {
    color: {},
    typography: {},
    spacing: {},
    layout: { contentSize: '42rem', wideSize: '42rem' },
  },
  styles: {},
};

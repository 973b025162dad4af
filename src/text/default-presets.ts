/** The presets that contents may name whatever the theme. */

export const palette: Readonly<Record<string, string>> = {
  black: '#000',
  'cyan-bluish-gray': '#abb8c3',
  white: '#fff',
  'pale-pink': '#f78da7',
  'vivid-red': '#cf2e2e',
  'luminous-vivid-orange': '#ff6900',
  'luminous-vivid-amber': '#fcb900',
  'light-green-cyan': '#7bdcb5',
  'vivid-green-cyan': '#00d084',
  'pale-cyan-blue': '#8ed1fc',
  'vivid-cyan-blue': '#0693e3',
  'vivid-purple': '#9b51e0',
};
export const fontSizes: Readonly<Record<string, string>> = {
  small: '.875em',
  medium: '1.25em',
  large: '1.75em',
  'x-large': '2.25em',
};
export const spacings: Readonly<Record<string, string>> = {
  20: '.44rem',
  30: '.67rem',
  40: '1rem',
  50: '1.5rem',
  60: '2.25rem',
  70: '3.38rem',
  80: '5.06rem',
};

const listed = (values: Readonly<Record<string, string>>, member: string) =>
  Object.entries(values).map(([slug, value]) => ({ slug, [member]: value }));

/** The same in the form of the settings of a site. */
export const presetSettings = {
  color: { palette: listed(palette, 'color') },
  typography: { fontSizes: listed(fontSizes, 'size') },
  spacing: { spacingSizes: listed(spacings, 'size') },
};

import type { BlockType } from '../src/block-types/block-type.ts';

/** A feature: the path of a value that only it shows, and what it shows. */
interface Probe {
  readonly feature: string;
  readonly path: readonly string[];
  readonly value: string;
  readonly style?: string;
  readonly classes?: readonly string[];
}

const styled = (feature: string, property: string, value: string): Probe => ({
  ...{ feature, path: ['style', ...feature.split('.')], value, style: `${property}:${value}` },
});

/** Every feature that shows, in the order of the style attribute. */
const probes: readonly Probe[] = [
  { ...styled('color.text', 'color', '#010101'), classes: ['has-text-color'] },
  { ...styled('color.background', 'background-color', '#020202'), classes: ['has-background'] },
  {
    ...{ feature: 'color.gradients', path: ['style', 'color', 'gradient'], value: 'linear-gradient(red,blue)' },
    ...{ style: 'background:linear-gradient(red,blue)', classes: ['has-background'] },
  },
  styled('typography.fontSize', 'font-size', '13px'),
  styled('typography.fontFamily', 'font-family', 'probe'),
  styled('typography.fontStyle', 'font-style', 'oblique'),
  styled('typography.fontWeight', 'font-weight', '123'),
  styled('typography.lineHeight', 'line-height', '1.23'),
  styled('typography.textDecoration', 'text-decoration', 'overline'),
  styled('typography.textTransform', 'text-transform', 'capitalize'),
  styled('typography.letterSpacing', 'letter-spacing', '4px'),
  styled('typography.writingMode', 'writing-mode', 'vertical-rl'),
  {
    ...{ feature: 'typography.textAlign', path: ['style', 'typography', 'textAlign'], value: 'justify' },
    classes: ['has-text-align-justify'],
  },
  { ...styled('border.color', 'border-color', '#030303'), classes: ['has-border-color'] },
  styled('border.radius', 'border-radius', '5px'),
  styled('border.style', 'border-style', 'dotted'),
  styled('border.width', 'border-width', '6px'),
  styled('spacing.padding', 'padding', '7px'),
  styled('spacing.margin', 'margin', '8px'),
  styled('dimensions.minHeight', 'min-height', '9px'),
  styled('dimensions.width', 'width', '11px'),
  styled('shadow', 'box-shadow', '12px 12px black'),
];

export const everyFeature: readonly string[] = probes.map(({ feature }) => feature);

/** Attributes with a value for each of the features, and some that every block may have. */
export function probed(features: readonly string[], written = ({ value }: Probe): string => value): object {
  const attributes = { align: 'wide', anchor: 'probe' };
  for (const probe of ofFeatures(features)) put(attributes, probe.path, written(probe));
  return attributes;
}

export function stylesOf(features: readonly string[]): readonly string[] {
  return ofFeatures(features).flatMap(({ style }) => style ?? []);
}

export function classesOf(features: readonly string[]): readonly string[] {
  return [...new Set(ofFeatures(features).flatMap(({ classes }) => classes ?? []))];
}

export function featuresOf(types: readonly BlockType[]): ReadonlySet<string> {
  return new Set(types.flatMap(({ features }) => [...features]));
}

function ofFeatures(features: readonly string[]): Probe[] {
  return probes.filter(({ feature }) => features.includes(feature));
}

function put(target: object, [key = '', ...rest]: readonly string[], value: string): void {
  const map = target as Record<string, object | string>;
  if (rest.length === 0) map[key] = value;
  else {
    const inner = map[key] ?? {};
    map[key] = inner;
    put(inner as object, rest, value);
  }
}

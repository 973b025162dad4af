/** What blocks of a type support. */
export interface Supported {
  /** As clients are told. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** Names of all features, such as `color.text` and `anchor`. */
  readonly features: ReadonlySet<string>;
  /** Those of the features that the block shows itself, in place of its outer element. A whole group also has its own name. */
  readonly own: ReadonlySet<string>;
}

interface Token {
  readonly group: string;
  readonly members: readonly string[];
  /** The members that the block shows itself; true: all. */
  readonly own: true | readonly string[];
}

/** Groups of features, each with its usual members. */
const GROUPS: Readonly<Record<string, readonly [group: string, members: string]>> = {
  colour: ['color', 'text background gradients link'],
  border: ['border', 'color radius style width'],
  spacing: ['spacing', 'margin padding'],
  type: [
    'typography',
    'fontSize lineHeight fontFamily fontStyle fontWeight letterSpacing textDecoration textTransform',
  ],
  size: ['dimensions', 'minHeight'],
  background: ['background', 'backgroundImage backgroundSize gradient'],
  duotone: ['filter', 'duotone'],
  sticky: ['position', 'sticky'],
  interactive: ['interactivity', 'clientNavigation'],
};

const ALIGNMENTS: Readonly<Record<string, true | readonly string[]>> = {
  align: true,
  wide: ['wide', 'full'],
  sides: ['left', 'center', 'right'],
};

/** What every block has, unless it says that it lacks it. */
const USUAL: Readonly<Record<string, string>> = {
  '-html': 'html',
  '-class': 'className',
  '-own': 'customClassName',
  '-insert': 'inserter',
  '-reuse': 'reusable',
  '-many': 'multiple',
};

/** Clients know these with a prefix. */
const EXPERIMENTAL = new Set(
  (
    'border fontFamily fontStyle fontWeight letterSpacing textDecoration textTransform writingMode ' +
    'skipSerialization'
  ).split(' '),
);

/**
 * Reads what a type supports, such as `wide anchor colour-link type+textAlign border! -html`: how it can be aligned; groups with the
 * members that they lack or have besides the usual ones, and after `!` those that the block shows itself (alone: all); other features;
 * what it lacks.
 */
export function readSupports(text: string): Supported {
  const words = text.split(' ').filter((word) => word !== '');
  const lacking = words.flatMap((word) => USUAL[word] ?? []);
  const aligned = words.map(alignmentsIn).find((found) => found !== undefined);
  const tokens = words.filter((word) => !(word in USUAL) && alignmentsIn(word) === undefined).map(readToken);
  return {
    declared: {
      ...(aligned === undefined ? {} : { align: aligned }),
      ...Object.fromEntries(tokens.map((token) => [clientName(token.group), declaration(token)])),
      ...Object.fromEntries(lacking.map((name) => [name, false])),
    },
    features: new Set([
      ...Object.values(USUAL).filter((name) => !lacking.includes(name)),
      ...(aligned === undefined ? [] : ['align']),
      ...tokens.flatMap(({ group, members }) => (members.length === 0 ? [group] : namesIn(group, members))),
    ]),
    own: new Set(
      tokens.flatMap(({ group, members, own }) =>
        own === true ? [group, ...namesIn(group, members)] : namesIn(group, own),
      ),
    ),
  };
}

function alignmentsIn(word: string): true | readonly string[] | undefined {
  return word.startsWith('align=') ? word.slice('align='.length).split(',') : ALIGNMENTS[word];
}

function readToken(word: string): Token {
  const [, name = '', changes = '', own] = /^([a-z]+)((?:[+-][a-zA-Z]+)*)(?:!(.*))?$/.exec(word) ?? [];
  const [group, usual = ''] = GROUPS[name] ?? [name];
  const changed: readonly string[] = changes.match(/[+-][a-zA-Z]+/g) ?? [];
  const members = [
    ...usual.split(' ').filter((member) => member !== '' && !changed.includes(`-${member}`)),
    ...changed.filter((change) => change.startsWith('+')).map((change) => change.slice(1)),
  ];
  return { group, members, own: own === undefined ? [] : own === '' ? true : own.split(',') };
}

function namesIn(group: string, members: readonly string[]): string[] {
  return members.map((member) => `${group}.${member}`);
}

function declaration({ group, members, own }: Token): unknown {
  const skipped = own === true || own.length > 0;
  if (members.length === 0 && !skipped) return true;
  return {
    // Without a value, clients take these for supported.
    ...(group === 'color' ? { text: false, background: false } : {}),
    ...Object.fromEntries(members.map((member) => [clientName(member), true])),
    ...(skipped ? { [clientName('skipSerialization')]: own } : {}),
  };
}

function clientName(name: string): string {
  return EXPERIMENTAL.has(name) ? `__experimental${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

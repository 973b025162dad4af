import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockTypes } from '#blocks/block-types/all.ts';
import type { BlockType } from '#blocks/block-types/block-type.ts';

/** What a package says of a block in its `block.json`, and what of it its own code shows. */
interface Described {
  readonly name: string;
  readonly supports?: Readonly<Record<string, unknown>>;
  readonly code: string;
}

/** Features that only editors use: this server neither shows nor describes them. */
const OF_EDITORS =
  /^(?:allowedBlocks|ariaLabel|alignWide|contentRole|customCSS|editableRoot|listView|lock|renaming|splitting|units|visibility)$|^__(?:unstable|experimental(?:ExposeControlsToChildren|OnEnter|OnMerge|Selector|Settings|SlashInserter|Style|Toolbar)$)/;
const OF_GROUPS = /^(?:allow|enableContrastChecker$|units$|sides$|__experimental(?:Default|Selector))/;
const SKIPPED = '__experimentalSkipSerialization';

/**
 * Compares what the types of blocks support with the descriptions in a package that clients use: `node tools/block-facts.ts
 * name@version`. Prints every difference, and fails if there is one.
 */
function compare(wanted: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'block-facts-'));
  try {
    const [archive = ''] = run(folder, 'npm', 'pack', '--silent', '--ignore-scripts', wanted).split('\n');
    run(folder, 'tar', '-xzf', archive);
    const described = descriptionsIn(join(folder, 'package/src'));
    const known = described.filter(({ name }) => blockTypes.has(name));
    const differences = known.flatMap((block) => differencesOf(block, blockTypes.get(block.name) as BlockType));
    for (const difference of differences) console.log(difference);
    console.log(`${known.length} blocks compared, ${differences.length} differences`);
    process.exitCode = differences.length === 0 && known.length > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(folder: string, command: string, ...words: readonly string[]): string {
  return execFileSync(command, words, { cwd: folder, encoding: 'utf8' }).trim();
}

function descriptionsIn(folder: string): Described[] {
  return readdirSync(folder).flatMap((block) => {
    const text = (file: string) => {
      const path = join(folder, block, file);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const description = text('block.json');
    return description === '' ? [] : [{ ...JSON.parse(description), code: text('index.php') }];
  });
}

function differencesOf({ name, supports = {}, code }: Described, type: BlockType): string[] {
  const [theirs, ours] = [simplified(supports), simplified(type.supports)];
  const groups = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  const marks: readonly (readonly [boolean, 'align' | 'link'])[] = [
    [code.includes("attributes['textAlign']"), 'align'],
    [code.includes('has-link-color'), 'link'],
  ];
  return [
    ...groups
      .filter((group) => theirs[group] !== ours[group])
      .map((group) => `${name} ${group}: ${ours[group] ?? 'absent'}, should be ${theirs[group] ?? 'absent'}`),
    ...(layoutOf(supports['layout']) === type.layout ? [] : [`${name}: its layout is ${layoutOf(supports['layout'])}`]),
    ...marks
      .filter(([isMarked, mark]) => isMarked !== type.marks.has(mark))
      .map(([isMarked, mark]) => `${name}: the class for ${mark} ${isMarked ? 'is missing' : 'is not theirs'}`),
  ];
}

/** A text for each group of features, the same for descriptions that mean the same. */
function simplified(supports: Readonly<Record<string, unknown>>): Record<string, string> {
  const simple: Record<string, string> = {};
  for (const [group, value] of Object.entries(supports)) {
    const text = OF_EDITORS.test(group) ? '' : meaning(group, value);
    if (text !== '' && text !== USUAL[group]) simple[group] = text;
  }
  return simple;
}

/** What a block has whose description says nothing of it. */
const USUAL: Readonly<Record<string, string>> = {
  ...{ align: 'false', className: 'true', customClassName: 'true' },
  ...{ html: 'true', inserter: 'true', reusable: 'true', multiple: 'true' },
};

function meaning(group: string, value: unknown): string {
  if (Array.isArray(value)) return value.toSorted().join();
  if (typeof value !== 'object' || value === null) return String(value);
  if (group === 'layout' || group === 'interactivity') return 'true';
  const whole = { ...(group === 'color' ? { text: true, background: true } : {}), ...value };
  const members = Object.entries(whole).filter(([member, has]) => has !== false && !OF_GROUPS.test(member));
  return members
    .map(([member, has]) => (member === SKIPPED ? `itself ${meaning('', has)}` : member))
    .toSorted()
    .join();
}

/** The layout of the blocks in a block that says nothing of it. */
function layoutOf(support: unknown): string | null {
  if (support === undefined || support === false) return null;
  const { default: usual } = Object(support);
  return usual === undefined ? 'flow' : [usual.type, usual.flexWrap].filter((word) => word !== undefined).join(' ');
}

const [wanted] = process.argv.slice(2);
if (wanted === undefined) throw new Error('The name and version of a package are missing.');
compare(wanted);

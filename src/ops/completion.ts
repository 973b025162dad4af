import type { Verb } from './verb.ts';

export const shells = ['bash', 'zsh'] as const;
export type Shell = (typeof shells)[number];

export function completionFor(shell: Shell, verbs: readonly Verb[]): string {
  const names = verbs.map(({ name }) => name);
  const firsts = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const seconds = firsts.flatMap((first) => {
    const words = names.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1));
    return words.length === 0 ? [] : [choice(first, words)];
  });
  const options = [...verbs]
    .sort((a, b) => b.name.length - a.name.length)
    .map((verb) => choice(`${verb.name}*`, optionsOf(verb)));
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_palimpsest() {',
    `  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""`,
    '  case "$typed" in',
    choice('', ['start', 'help', 'completion', '--version', ...firsts]),
    ...seconds,
    ...options,
    '  esac',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -o default -F _palimpsest palimpsest',
  ].join('\n');
}

function optionsOf({ args, positionals }: Verb): readonly string[] {
  const own = Object.keys(args.shape).filter((name) => !positionals.includes(name));
  return [...own, 'json', 'help'].map((name) => `--${name}`);
}

function choice(typed: string, words: readonly string[]): string {
  const pattern = typed.endsWith('*') ? `"${typed.slice(0, -1)}"*` : `"${typed}"`;
  return `    ${pattern}) words="${words.join(' ')}" ;;`;
}

import { formatByPattern } from '#domain/time/pattern.ts';
import { type Arguments, argument } from './arguments.ts';

const usual = 'F j, Y';
const longest = 100;

export function dateText(local: string, args: Arguments): string {
  const named = argument(args, 'format') ?? '';
  const pattern = named === 'custom' ? (argument(args, 'custom_format') ?? '') : named;
  return formatByPattern(local, (pattern === '' ? usual : pattern).slice(0, longest));
}

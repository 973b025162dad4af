import { isUtf8 } from 'node:buffer';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { jsonFault, MOST_LEVELS } from './limits.ts';
import { convertible, isRecord } from './shapes.ts';

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const FAULTS = {
  depth: [1, 'Maximum stack depth exceeded'],
  control: [3, 'Control character error, possibly incorrectly encoded'],
  syntax: [4, 'Syntax error'],
  utf8: [5, 'Malformed UTF-8 characters, possibly incorrectly encoded'],
  surrogate: [10, 'Single unpaired high surrogate in Unicode escape'],
} as const;

type Parsed = { readonly params: Readonly<Record<string, unknown>> | null } | { readonly refusal: Refusal };

/** Parameters from a JSON body. Empty bodies and values that are no object count as none; broken JSON is refused. */
export function parseJsonBody(body: Buffer): Parsed {
  if (body.length === 0 || (body.length === 1 && body[0] === 0x30)) return { params: null };
  const crowded = jsonFault(body);
  if (crowded !== null) return { refusal: crowded === 'depth' ? broken('depth') : crowded };
  if (!isUtf8(body)) return { refusal: broken('utf8') };
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      refusal: broken(error instanceof Error && error.message.includes('control character') ? 'control' : 'syntax'),
    };
  }
  if (typeof value !== 'object' || value === null) return { params: null };
  const fault = faultInside(value, SURROGATE_ESCAPE.test(text));
  if (fault !== null) return { refusal: broken(fault) };
  return { params: isRecord(value) ? value : null };
}

function faultInside(root: object, surrogates: boolean): 'depth' | 'surrogate' | null {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return 'depth';
    const next: object[] = [];
    for (const container of level) {
      if (surrogates && !Object.keys(container).every((key) => key.isWellFormed())) return 'surrogate';
      convertible(container);
      for (const member of Object.values(container)) {
        if (typeof member === 'object' && member !== null) next.push(member);
        else if (surrogates && typeof member === 'string' && !member.isWellFormed()) return 'surrogate';
      }
    }
    level = next;
  }
  return null;
}

function broken(kind: keyof typeof FAULTS): Refusal {
  const [code, message] = FAULTS[kind];
  return refuse('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: message,
  });
}

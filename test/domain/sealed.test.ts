import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codec } from '#catalogue/events.ts';

/** Members with strings that are not sealed, by the reason: everything else that people write has to be sealed. */
const open: Readonly<Record<string, readonly string[]>> = {
  'points in time': [
    'date',
    'dateGmt',
    'modified',
    'modifiedGmt',
    'latestGmt',
    'until',
    'day',
    'clock',
    'at',
    'saved',
    'savedGmt',
  ],
  'digests, random ids and the types of files': [
    ...[
      'hash',
      'request',
      'password',
      'appId',
      'token',
      'address',
      'addresses',
      'type',
      'mark',
      'digest',
      'md5',
      'share',
      'design',
      'key',
    ],
  ],
  'addresses of what is or was public': ['slug', 'folder', 'path', 'url', 'server', 'of'],
  'names of kinds, themes, templates, blocks and sizes': [
    ...['kind', 'object', 'template', 'templates', 'theme', 'area', 'as', 'block', 'sizes', 'missing', 'fonts'],
  ],
  'words of the program': [
    'method',
    'stream',
    'field',
    'code',
    'choice',
    'category',
    'step',
    'action',
    'flag',
    'variant',
    'service',
    'reason',
    'form',
  ],
  'what was imported, and what it belongs to: host and path of a site, name of a file, streams': [
    'source',
    'origin',
    'whose',
  ],
  'what a hook is told': ['resources', 'changes', 'statuses'],
  prices: ['regularPrice', 'salePrice'],
};
/** What belongs to the site and its subjects, and to no person. */
const ofTheSite = /^(?:Site|Term|Menu|Theme)/;
/** Headers of an answer, and names of texts that are made again. */
const ofAnswers = /^RequestAnswered\.(?:headers|late)/;
/** Stays after an erasure: see docs/operations/erasure.md. */
const namesOfPasswords = /^UserPasswordIssued\.name$/;

describe('events', () => {
  it('have no free text outside sealed fields', () => {
    const allowed = new Set(Object.values(open).flat());
    const free = codec.definitions.flatMap(({ type, schema, sealed }) =>
      Object.entries(schema.shape)
        .filter(([name]) => !sealed.some((one) => one === name))
        .flatMap(([name, member]) => textsIn(member, `${type}.${name}`)),
    );
    const exempt = (path: string) =>
      [ofTheSite, ofAnswers, namesOfPasswords].some((pattern) => pattern.test(path)) ||
      path
        .split('.')
        .slice(1)
        .some((part) => allowed.has(part.replace(/[^\w].*$/, '')));
    expect(free.filter((path) => !exempt(path))).toEqual([]);
  });
});

/** Paths of members that can be any string. */
function textsIn(schema: unknown, path: string): readonly string[] {
  if (schema instanceof z.ZodString) return [path];
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return [path];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) => textsIn(member, `${path}.${name}`));
  if (schema instanceof z.ZodArray) return textsIn(schema.element, `${path}[]`);
  if (schema instanceof z.ZodRecord)
    return [...textsIn(schema.keyType, `${path}{}`), ...textsIn(schema.valueType, `${path}{}`)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => textsIn(option, path));
  const wraps =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional;
  return wraps || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly
    ? textsIn(schema.unwrap(), path)
    : [];
}

import { type PluginArg, type PluginReply, reply, z } from 'palimpsest/plugin';

export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that should be a word; empty if it is neither text nor a number. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A parameter of which the index says only that it is required. */
export function required(schema: z.ZodType, check?: PluginArg['check']): PluginArg {
  return { schema, required: true, untyped: true, ...(check && { check }) };
}

/** A success in a response to an editor. */
export function success(data: unknown, message = ''): PluginReply {
  return reply({ status: 'success', message, data, redirect: '' });
}

/** A failure in a response to an editor; the status is 200. */
export function failure(message: string): PluginReply {
  return reply({ status: 'error', message, data: [], redirect: '' }, { idle: true });
}

/** Schemas of responses. */

export const markupSchema = z.string().describe('HTML');
export const positive = z.int().min(1);

export function outcomeSchema(value: z.ZodType): z.ZodType {
  const none = z.array(z.unknown()).max(0);
  return z.union([successSchema(value), z.object({ ...withStatus('error'), message: z.string().min(1), data: none })]);
}

export function successSchema(value: z.ZodType): z.ZodType {
  return z.object({ ...withStatus('success'), data: value });
}

function withStatus<S extends string>(status: S) {
  return { status: z.literal(status), message: z.string(), redirect: z.literal('') };
}

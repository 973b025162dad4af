import { type PluginArg, type PluginReply, reply, type z } from 'palimpsest/plugin';

const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;

export type CallbackParams = Readonly<Record<string, unknown>>;

/** The number that a value represents, or null. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : null;
}

export function isMap(value: unknown): value is CallbackParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members of a map or a list; none for any other value. */
export function entriesOf(data: unknown): readonly (readonly [string, unknown])[] {
  return typeof data === 'object' && data !== null ? Object.entries(data) : [];
}

/** A parameter as a text; '' if absent. */
export function callbackText(params: CallbackParams, name: string): string {
  const value = params[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A parameter that only the route checks and only the documentation lists. */
export function uncheckedArg(schema: z.ZodType): PluginArg {
  return { schema, hidden: true, unchecked: true };
}

/** A success in a response to the service. */
export function done(fields: CallbackParams = {}): PluginReply {
  return reply({ _res: 'ok', ...fields });
}

/** A failure in a response to the service, which reads the body, so the status is 200. */
export function failing(code: string): PluginReply {
  return reply({ _res: 'err', _msg: code }, { idle: true });
}

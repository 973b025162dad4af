import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Answer } from '../../../engine/types.ts';

const FRESH = { 'Cache-Control': 'no-cache' };

export function raw(value: unknown): Answer {
  return { body: { kind: 'json', value } };
}

/** The bare value, never to be kept by anybody. */
export function fresh(value: unknown): Answer {
  return { body: { kind: 'json', value }, headers: FRESH };
}

/** `{"data": value}`. */
export function data(value: unknown): Answer {
  return fresh({ data: value });
}

/** What is wrong with a request whose good answer is `data`, by field. */
export function invalidData(errors: Readonly<Record<string, string>>): Refusal {
  return refuse('data_invalid', 'The data that was sent is not valid.', { errors });
}

/** What is wrong with a parameter that only the handler can judge, as the checks before it would say it. */
export function invalidParam(name: string, message: string): Refusal {
  return refuse('rest_invalid_param', `Invalid parameter(s): ${name}`, {
    params: { [name]: message },
    details: { [name]: { code: 'invalid_param', message, data: null } },
  });
}

/** Answers to services: what went well. */
export function ok(fields: Readonly<Record<string, unknown>> = {}): Answer {
  return raw({ _res: 'ok', ...fields });
}

/** What did not; services look into the body, so the status is 200 all the same. */
export function err(code: string): Answer {
  return { ...raw({ _res: 'err', _msg: code }), idle: true };
}

/** Answers to an editor: what went well. */
export function success(value: unknown, message = ''): Answer {
  return raw({ status: 'success', message, data: value, redirect: '' });
}

/** What did not; the status is 200 all the same. */
export function failure(message: string): Answer {
  return { ...raw({ status: 'error', message, data: [], redirect: '' }), idle: true };
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Session } from '#commands/session.ts';
import { numberOf } from '#text/shapes.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { err, ok } from '../kit/envelopes.ts';
import type { PluginParts } from '../kit/namespace.ts';
import { callbackText } from './callback.ts';

/** Seconds for which a challenge is answered. */
const questionStands = 86_400;

export function validateIp({ params }: Call<Session>, { siteKey }: PluginParts['settings']): Answer {
  const hash = callbackText(params, 'hash');
  if (hash === '') return err('lack_of_params');
  const isRight = siteKey !== '' && isSame(hash, sha256(siteKey.slice(0, 4)));
  return isRight ? ok({ hash: sha256(siteKey.slice(2, 6)) }) : err('err_hash');
}

export function echo({ params }: Call<Session>, { settings, clock }: PluginParts): Answer {
  const [time, signature] = [callbackText(params, 'cmsapi_ts'), callbackText(params, 'cmsapi_signature_b64')];
  if (time === '' || signature === '') return err('no_echo_data');
  const signed = (text: string) =>
    createHmac('sha256', settings.cacheSecret ?? '')
      .update(text)
      .digest('base64');
  if (!isSame(signature, signed(`echo:${time}`))) return err('echo_invalid');
  const age = Math.abs(clock() / 1000 - (numberOf(time) ?? 0));
  return age > questionStands ? err('echo_expired') : ok({ signature_b64: signed(`reply:${time}`) });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

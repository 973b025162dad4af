import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { cacheCloud } from '#domain/plugins/cache-cloud/area.ts';
import { confirmAlias, setStatus } from '#domain/plugins/cache-cloud/decide.ts';
import { cloudStatuses } from '#domain/plugins/cache-cloud/events.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { err, ok } from '../kit/envelopes.ts';
import { callbackText } from './callback.ts';

export function cdnStatus({ model: session, params }: Call<Session>): Answer {
  const sent = callbackText(params, 'cloud_activated');
  const status = sent === 'deleted' ? null : cloudStatuses.find((one) => one === sent);
  if (status === undefined) return err('lack_of_params');
  stageIn(session, cacheCloud, setStatus(session.plugin(cacheCloud), status));
  return ok({ cloud_activated: status });
}

export function errDomains({ model: session, params }: Call<Session>): Answer {
  const [domain, alias] = [callbackText(params, 'main_domain'), callbackText(params, 'alias')];
  if (domain === '' || alias === '') return err('lack_of_param');
  const facts = { at: session.at, current: session.site().url };
  const events = confirmAlias(session.plugin(cacheCloud), alias, facts);
  if (events === null) return err('not_an_alias');
  stageIn(session, cacheCloud, events);
  return ok();
}

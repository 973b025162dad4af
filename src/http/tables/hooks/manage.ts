import { hookIn, hooksIn, makeHookSecret, settleHook, switchHook } from '#commands/hooks.ts';
import type { Session } from '#commands/session.ts';
import { type Hook, hooks } from '#domain/hooks/area.ts';
import { addHook, changeHook, type HookDraft, removeHook, replaceHookSecret } from '#domain/hooks/decide.ts';
import { invalidParam, isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { stateOfHook } from '../../hooks/state.ts';
import { fresh } from '../plugins/kit/envelopes.ts';
import type { HookParts } from '../plugins/kit/namespace.ts';

type Parts = HookParts | null;

export const listHooks =
  (parts: Parts) =>
  ({ model }: Call<Model>): Answer =>
    fresh(hooksIn(model).map((hook) => shown(hook, parts)));

export const showHook =
  (parts: Parts) =>
  ({ model, params }: Call<Model>): Answer | Refusal =>
    answerWith(hookIn(model, Number(params['id'])), parts);

export const createHook =
  (parts: Parts) =>
  (call: Call<Session>): Answer | Refusal => {
    const { model: session, params, viewer } = call;
    const sent = draftIn(call, parts);
    if (isRefusal(sent)) return sent;
    const everything = { resources: [], changes: [], statuses: [], user: viewer.id, address: '' };
    const secret = typeof params['secret'] === 'string' ? params['secret'] : makeHookSecret();
    const all = session.plugin(hooks);
    const events = addHook(all, { ...everything, ...sent, secret });
    if (isRefusal(events)) return events;
    const added = settleHook(session, all.last + 1, events);
    if (isRefusal(added)) return added;
    const hook = params['enabled'] === false ? switchHook(session, added.id, 'asked') : added;
    if (isRefusal(hook)) return hook;
    const answer = shown(hook, parts);
    // A new hook begins at its own commit; its position is stored after the commit.
    return fresh({ ...answer, state: answer.state === 'lost' ? 'sending' : answer.state, secret });
  };

export const updateHook =
  (parts: Parts) =>
  (call: Call<Session>): Answer | Refusal => {
    const { model: session, params } = call;
    const before = hookIn(session, Number(params['id']));
    if (isRefusal(before)) return before;
    const sent = draftIn(call, parts);
    if (isRefusal(sent)) return sent;
    const changed = settleHook(session, before.id, changeHook(before, sent));
    const { enabled } = params;
    if (isRefusal(changed) || typeof enabled !== 'boolean') return answerWith(changed, parts);
    return answerWith(switchHook(session, before.id, enabled ? null : 'asked'), parts);
  };

export const renewSecret =
  (parts: Parts) =>
  ({ model: session, params }: Call<Session>): Answer | Refusal => {
    const before = hookIn(session, Number(params['id']));
    if (isRefusal(before)) return before;
    const secret = typeof params['secret'] === 'string' ? params['secret'] : makeHookSecret();
    const after = settleHook(session, before.id, replaceHookSecret(before, secret));
    return isRefusal(after) ? after : fresh({ ...shown(after, parts), secret });
  };

export const deleteHook =
  (parts: Parts) =>
  ({ model: session, params }: Call<Session>): Answer | Refusal => {
    const hook = hookIn(session, Number(params['id']));
    if (isRefusal(hook)) return hook;
    session.stage(hooks.stream, removeHook(hook));
    return fresh({ deleted: true, previous: shown(hook, parts) });
  };

const ADDRESS_REFUSED =
  'address has to be an http or https address in a public network, with port 80, 443 or 8080. WEBHOOK_NETWORKS allows networks of your own.';

function draftIn({ params, model }: Call<Session>, parts: Parts): Partial<HookDraft> | Refusal {
  const names = ['address', 'user', 'resources', 'changes', 'statuses'] as const;
  const draft: Partial<HookDraft> = Object.fromEntries(
    names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
  );
  const { address, user } = draft;
  if (address !== undefined && !(parts?.mayReach(address) ?? true)) return invalidParam('address', ADDRESS_REFUSED);
  const account = user === undefined ? undefined : model.user(user);
  if (user !== undefined && (account === undefined || account.disabled))
    return invalidParam('user', 'user is not an account that may log in.');
  return draft;
}

function answerWith(hook: Hook | Refusal, parts: Parts): Answer | Refusal {
  return isRefusal(hook) ? hook : fresh(shown(hook, parts));
}

function shown(hook: Hook, parts: Parts) {
  const { id, address, user, resources, changes, statuses, stopped } = hook;
  const { state, position, failingSince, attempts, error, deliveredAt } = stateOfHook(hook, parts);
  return {
    id,
    address,
    user,
    resources,
    changes,
    statuses,
    enabled: stopped === null,
    stopped,
    state,
    position,
    failing_since: failingSince,
    attempts,
    error,
    delivered_at: deliveredAt,
  };
}

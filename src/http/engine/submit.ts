import { anonymous } from '#domain/user/roles.ts';
import { TextResults, withTexts } from '#text/suspended.ts';
import { answerAhead } from './ahead.ts';
import { decide } from './decide.ts';
import { hasGone, type Input } from './input.ts';
import { inSession, prepareAhead, type RunOutcome, refusedOutcome } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import type { FoundEndpoint } from './table.ts';
import { rehearse, writeInSession } from './write.ts';

export interface Submitted {
  readonly outcome: RunOutcome;
  /** Log position after a write; null if nothing was submitted. */
  readonly position: number | null;
}

/** Carries out a write in a session, unless it can be decided without one: a refusal, or an answer that changes nothing. */
export async function submit<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { found, asker: whoAsks }: { readonly found: FoundEndpoint<M, S>; readonly asker: Asker },
): Promise<Submitted> {
  const { host } = runtime;
  const { correlationId } = whoAsks;
  const viewer = isNobodys(found) ? anonymous : whoAsks.viewer;
  const asker = { viewer, correlationId };
  const results = new TextResults({ waits: host.runText !== undefined });
  const prepared = () => {
    const ahead = prepareAhead(found, input, { viewer, model: host.model() });
    return { ahead, told: answerAhead(runtime, ahead, { input, asker }) };
  };
  const { ahead, told } = await withTexts(host.runText, (within) => within(prepared), {
    results,
    isGone: hasGone(input.sent),
  });
  if (told !== null) return { outcome: told, position: null };
  if (host.closed !== undefined) return { outcome: refusedOutcome(host.closed, viewer), position: null };
  const run = input.method === 'HEAD' ? rehearse : writeInSession;
  const written = decide(runtime, { asker, results, sent: input.sent }, (place) =>
    run(place, inSession(ahead, input, place), input),
  );
  const { value, position, wrote } = await written;
  // A GET that may write but did not is a read.
  const isRead = input.method === 'GET' || input.method === 'HEAD';
  return { outcome: value, position: value.replayed ?? (wrote || !isRead ? position : null) };
}

function isNobodys<M, S extends M>({ endpoint: { endpoint } }: FoundEndpoint<M, S>): boolean {
  return 'runsAsAnonymous' in endpoint && endpoint.runsAsAnonymous === true;
}

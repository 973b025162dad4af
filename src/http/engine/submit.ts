import { anonymous } from '#domain/user/roles.ts';
import { withTexts } from '#text/suspended.ts';
import { answerAhead } from './ahead.ts';
import type { Input } from './input.ts';
import { inSession, type Outcome, prepareAhead, refusedOutcome } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import type { Found } from './table.ts';
import { rehearse, write } from './write.ts';

type Within = <T>(work: () => T) => T;

export interface Submitted {
  readonly outcome: Outcome;
  /** Log position after a write; null if nothing was submitted. */
  readonly position: number | null;
}

/** Carries out a write in a session, unless it can be decided without one: a refusal, or an answer that changes nothing. */
export async function submit<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { found, asker }: { readonly found: Found<M, S>; readonly asker: Asker },
): Promise<Submitted> {
  const { host } = runtime;
  const { viewer, correlationId } = asker;
  const by = { viewer: isNobodys(found) ? anonymous : viewer, correlationId };
  return withTexts(host.runText, (within) => carryOut(runtime, input, { found, asker: by, within }));
}

async function carryOut<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { found, asker, within }: { readonly found: Found<M, S>; readonly asker: Asker; readonly within: Within },
): Promise<Submitted> {
  const { host } = runtime;
  const { viewer } = asker;
  const ahead = within(() => prepareAhead(found, input, { viewer, model: host.model() }));
  const told = within(() => answerAhead(runtime, ahead, { input, asker }));
  if (told !== null) return { outcome: told, position: null };
  if (host.closed !== undefined) return { outcome: refusedOutcome(host.closed, viewer), position: null };
  const run = input.method === 'HEAD' ? rehearse : write;
  const written = host.submit(asker, (session) =>
    within(() => run({ runtime, asker, session }, inSession(ahead, input, session), input)),
  );
  const { value, position, wrote } = await (input.sent.waits?.during('write', written) ?? written);
  // A GET that may write but did not is a read.
  const isRead = input.method === 'GET' || input.method === 'HEAD';
  return { outcome: value, position: value.replayed ?? (wrote || !isRead ? position : null) };
}

function isNobodys<M, S extends M>({ endpoint: { endpoint } }: Found<M, S>): boolean {
  return 'runsAsAnonymous' in endpoint && endpoint.runsAsAnonymous === true;
}

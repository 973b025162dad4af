import { isRefusal } from '#domain/kernel/refusal.ts';
import { Cost } from '#text/cost.ts';
import { NeedsTexts, TextResults, withTexts } from '#text/suspended.ts';
import type { Workplace } from './inner.ts';
import { hasGone } from './input.ts';
import { LateTexts } from './late-texts.ts';
import { mapTexts } from './present.ts';
import type { RunOutcome } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import type { HostWritten, Sent } from './types.ts';

interface Deciding {
  readonly asker: Asker;
  /** What was prepared for the decision. */
  readonly results: TextResults;
  readonly sent: Sent;
}

/**
 * Submits a write. It is decided once, or once more if only its session shows a long text that the answer needs: nothing that a decision
 * produces itself is prepared by beginning it again. Texts of the answer that show other data are made after the commit.
 */
export async function decide<M, S extends M>(
  runtime: Runtime<M, S>,
  { asker, results, sent }: Deciding,
  work: (place: Workplace<M, S>) => RunOutcome,
): Promise<HostWritten<RunOutcome>> {
  const { host } = runtime;
  let late = new LateTexts(asker.correlationId);
  const attempt = (mayWait: boolean) =>
    host.submit({ viewer: asker.viewer, correlationId: asker.correlationId }, (session) => {
      late = new LateTexts(asker.correlationId);
      return results.decide(() => work({ runtime, asker, session, late }), { mayWait });
    });
  const twice = async () => {
    try {
      return await attempt(true);
    } catch (error) {
      if (!(error instanceof NeedsTexts) || host.runText === undefined) throw error;
      host.decidesAgain?.();
      await error.until(results, host.runText);
      return attempt(false);
    }
  };
  const written = await (sent.waits?.during('write', twice()) ?? twice());
  if (late.areNone || hasGone(sent)()) return written;
  const { shown } = written.value;
  const then = host.modelAt(String(written.position));
  const model = isRefusal(then) ? host.model() : then;
  const rendered = new TextResults(results.usesWorkers, new Cost(written.value.cost));
  const filled = await withTexts(host.runText, (within) => within(() => mapTexts(shown, late.filler(model))), {
    results: rendered,
    isGone: hasGone(sent),
  });
  return { ...written, value: { ...written.value, shown: filled, cost: rendered.cost.standing } };
}

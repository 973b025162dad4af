import { expect, it } from 'vitest';
import { Witnesses } from '#node/tree/witnesses.ts';
import { checkpointText } from '#tlog/checkpoint.ts';
import { encodeVerifier, newSigner, signNote } from '#tlog/note.ts';
import { encodeSubmission } from '#tlog/witness.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a fork is noted once, shortly, however often it is sent, and no number of forks fills the log of the server', () => {
  const warnings: string[] = [];
  const [own, log] = [newSigner('witness.example'), newSigner('log.example')];
  const witnesses = new Witnesses({
    ...{ dataDir: temporaryDirectory(), key: () => own, clock: Date.now },
    reporter: { warning: (message) => void warnings.push(message) },
  });
  witnesses.add({ organisation: 'archive', address: 'https://log.example', log: encodeVerifier(log), witness: null });
  const others = Array.from({ length: 60 }, (_, i) => newSigner(`other-${i}.example`));
  const submit = (before: number, root: number) =>
    witnesses.cosign(
      encodeSubmission({
        ...{ before, proof: [] },
        checkpoint: signNote(checkpointText({ origin: log.name, size: 7, root: Buffer.alloc(32, root) }), [
          log,
          ...others,
        ]),
      }),
    ).status;
  expect(submit(0, 1)).toBe(200);
  for (let i = 0; i < 100; i++) expect(submit(7, 2)).toBe(409);
  expect(warnings).toEqual([expect.stringContaining(Buffer.alloc(32, 2).toString('base64'))]);
  expect(warnings[0]?.length).toBeLessThan(1000);
  for (let root = 3; root < 60; root++) expect(submit(7, root)).toBe(409);
  expect(warnings.length).toBeLessThan(20);
});

import { afterAll, beforeAll } from 'vitest';
import { type StandIn, startStandIn } from '../support/stand-in/server.ts';
import { contractOverTheWire } from './over-the-wire.ts';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ maxAppendBytes: 16 * 1024 * 1024 });
});
afterAll(() => standIn.close());

contractOverTheWire('protocol stand-in', () => standIn.url);

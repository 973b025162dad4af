import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contractOverTheWire, LARGEST_APPEND } from './over-the-wire.ts';

/** Real servers, each with its image and the prefix of its settings. */
const servers = [
  { name: 'EventStoreDB 24.10', image: 'eventstore/eventstore:24.10.0-bookworm-slim', prefix: 'EVENTSTORE' },
  { name: 'KurrentDB 26.0', image: 'docker.kurrent.io/kurrent-lts/kurrentdb:26.0', prefix: 'KURRENTDB' },
] as const;

const PORT = 2113;
const STARTING = 300_000;
const url = process.env['ESDB_URL'];
/** Only on request: a container fetches an image of several hundred megabytes. */
const containers = process.env['CI_CONTAINERS'] === '1';

if (url !== undefined) contractOverTheWire('the server at ESDB_URL', () => url);
for (const server of servers) {
  if (containers) describe(`in a container, ${server.name}`, () => inContainer(server));
  else leftOut(server.name);
}

if (url === undefined && !containers) {
  process.stderr.write(
    'left out: the contract of event logs on real servers (npm run test:containers, or ESDB_URL=esdb://…)\n',
  );
}

function inContainer({ name, image, prefix }: (typeof servers)[number]): void {
  let container: StartedTestContainer;
  beforeAll(async () => {
    const settings = {
      ...{ CLUSTER_SIZE: '1', RUN_PROJECTIONS: 'None', INSECURE: 'true', NODE_PORT: String(PORT) },
      MAX_APPEND_SIZE: String(LARGEST_APPEND),
      TELEMETRY_OPTOUT: 'true',
    };
    const environment = Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${prefix}_${key}`, value]));
    container = await new GenericContainer(image)
      .withEnvironment(environment)
      .withExposedPorts(PORT)
      .withWaitStrategy(Wait.forHealthCheck())
      .start();
  }, STARTING);
  afterAll(() => container.stop());
  contractOverTheWire(name, () => `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`);
}

function leftOut(name: string): void {
  describe.skip(`event log: ${name} (npm run test:containers)`, () => {
    it('keeps the contract', () => undefined);
  });
}

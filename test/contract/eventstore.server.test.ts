import { existsSync } from 'node:fs';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contractOverTheWire } from './over-the-wire.ts';

/** Real servers, each with its image and what it calls its settings. */
const servers = [
  { name: 'EventStoreDB 24.10', image: 'eventstore/eventstore:24.10.0-bookworm-slim', prefix: 'EVENTSTORE' },
  { name: 'KurrentDB 26.0', image: 'docker.kurrent.io/kurrent-lts/kurrentdb:26.0', prefix: 'KURRENTDB' },
] as const;

const PORT = 2113;
const STARTING = 300_000;
const url = process.env['ESDB_URL'];
const hasDocker = process.env['DOCKER_HOST'] !== undefined || existsSync('/var/run/docker.sock');

if (url === undefined) skipped('the server at ESDB_URL', 'ESDB_URL is not set');
else contractOverTheWire('the server at ESDB_URL', () => url);

for (const server of servers) {
  if (hasDocker) describe(`in a container, ${server.name}`, () => inContainer(server));
  else skipped(server.name, 'there is no Docker');
}

function inContainer({ name, image, prefix }: (typeof servers)[number]): void {
  let container: StartedTestContainer;
  beforeAll(async () => {
    const settings = {
      ...{ CLUSTER_SIZE: '1', RUN_PROJECTIONS: 'None', INSECURE: 'true', NODE_PORT: String(PORT) },
      MAX_APPEND_SIZE: String(16 * 1024 * 1024 - 1),
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

function skipped(name: string, reason: string): void {
  process.stderr.write(`skipped: the contract of event logs on ${name}, because ${reason}\n`);
  describe.skip(`event log: ${name} (${reason})`, () => {
    it('keeps the contract', () => undefined);
  });
}

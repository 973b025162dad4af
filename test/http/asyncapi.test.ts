import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { CloudEvent, HTTP } from 'cloudevents';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commitEvent, messageEvent } from '#http/asyncapi/cloud-events.ts';
import { describeMessages } from '#http/asyncapi/document.ts';
import { testMessage } from '#http/hooks/message.ts';
import { sendByClock, startReceiver } from '../support/hooks.ts';
import { found } from '../support/patience.ts';
import { callPlugin, startPluginSite } from '../support/plugins.ts';
import type { Site } from '../support/site.ts';
import { listen } from '../support/sse.ts';

const document = describeMessages();
const { messages, schemas } = document.components;
const ajv = formats.default(new Ajv({ allErrors: true, strict: true, strictTypes: false }));
ajv.addVocabulary(['components']);
ajv.addSchema({ $id: 'doc:', components: { schemas: closed(schemas) } }, 'doc:');

/** The schemas without room for members that they do not name. */
function closed(part: unknown): unknown {
  if (Array.isArray(part) || typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, value]) => [name, name === 'required' ? value : closed(value)]);
  const isClosed = 'type' in part && part.type === 'object' && 'properties' in part;
  return { ...Object.fromEntries(members), ...(isClosed ? { additionalProperties: false } : {}) };
}

function faults(schema: unknown, value: unknown) {
  const check = ajv.compile(
    typeof schema === 'string' ? { $ref: `doc:#/components/schemas/${schema}` } : (schema as object),
  );
  return check(value) ? [] : check.errors;
}

describe('docs/asyncapi.json', () => {
  it('is valid AsyncAPI 3.0', async () => {
    const diagnostics = await new Parser().validate(JSON.stringify(document));
    // Hints, such as that there is a later version of AsyncAPI, are neither errors nor warnings.
    const serious = diagnostics.filter(({ severity }) => severity <= 1);
    expect(serious.map(({ code, message, path }) => `${path.join('.')}: ${message} (${code})`)).toEqual([]);
  });

  it.each(Object.entries(messages))('has an example of %s that fits its schemas', (name, { headers, examples }) => {
    expect(examples).toHaveLength(1);
    for (const example of examples) {
      expect(faults(name, example.payload)).toEqual([]);
      if (headers !== undefined) expect(faults(closed(headers), example.headers)).toEqual([]);
    }
  });

  it('describes the test of a hook', () => {
    const { body } = testMessage(7, 'https://example.org', 0);
    expect(faults('test', JSON.parse(body))).toEqual([]);
  });
});

describe('messages of a site', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startPluginSite('A', {}, { env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
  });
  afterAll(() => site.close());

  it('fit the schemas, and are CloudEvents when mapped', async () => {
    const receiver = await startReceiver();
    const sending = sendByClock(site);
    const authorization = site.authorization('administrator');
    const listener = await listen({ port: site.port, headers: { authorization } });
    onTestFinished(async () => {
      listener.drop();
      sending.stop();
      await receiver.close();
    });
    await listener.until(() => listener.lastId !== '');
    for (const resources of [[], ['contact-messages']]) {
      await callPlugin(site, 'administrator', 'POST /webhooks/v1/hooks', { address: receiver.url, resources });
    }
    const id = await site.make('editor', '/posts', { title: 'One', status: 'publish' });
    const user = await site.make('administrator', '/users', {
      ...{ username: 'passing', email: 'passing@example.org', password: 'a long password' },
    });
    await site.call('administrator', `DELETE /users/${user}?force=true&reassign=1`);
    const form_id = await site.make('editor', '/pages', {
      title: 'Write',
      template: 'contact-form',
      status: 'publish',
    });
    const wrote = { form_id, name: 'Ada', email: 'ada@x.example', subject: '', message: 'When may I see it?' };
    await callPlugin(site, 'anonymous', 'POST /contact-forms/v1/messages', wrote);
    await listener.reaches(site.position());
    const isTold = (text: string) => receiver.received.some((message) => message.text.includes(text));
    await found(() => [`"heir":1`, 'When may I see it?'].every(isTold));

    const root = 'http://site.example/cms-json';
    const commits = listener.messages.map(({ data }) => JSON.parse(data));
    expect(commits.flatMap(({ changes }) => changes.map(({ what }: { what: string }) => what))).toContain('deleted');
    for (const { event, id: at, data } of listener.messages) {
      expect(faults(closed(messages['commit']?.headers), { event, id: Number(at) })).toEqual([]);
      expect(faults('commit', JSON.parse(data))).toEqual([]);
    }
    for (const commit of commits) {
      const mapped = commitEvent(commit, root);
      expect(faults('commitEvent', mapped)).toEqual([]);
      expect(new CloudEvent(mapped).validate()).toBe(true);
    }
    expect(commitEvent(commits[0], root)).toMatchObject({ subject: `posts/${id}` });
    for (const { headers, text } of receiver.received) {
      const message = JSON.parse(text);
      const own = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
      expect(faults(closed(messages['changed']?.headers), Object.fromEntries(own))).toEqual([]);
      expect(faults('changed', message)).toEqual([]);
      const mapped = messageEvent(message, { id: String(headers['webhook-id']), root });
      expect(faults('changedEvent', mapped)).toEqual([]);
      expect(new CloudEvent(mapped).validate()).toBe(true);
    }
  });

  it('have as `dataschema` a schema of the interface that they fit', async () => {
    const { body } = await site.call('anonymous', 'GET /cms-json/openapi.json');
    for (const name of ['commitEvent', 'changedEvent']) {
      const [{ payload } = { payload: undefined }] = messages[name]?.examples ?? [];
      const { dataschema, data } = payload as { dataschema: string; data: unknown };
      const url = new URL(dataschema);
      expect(url.pathname).toBe('/cms-json/openapi.json');
      const schema = url.hash
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key], body);
      expect(faults(schema, data)).toEqual([]);
    }
  });
});

describe('examples of CloudEvents', () => {
  const [fromFeed, fromHook] = ['commitEvent', 'changedEvent'].map((name) => messages[name]?.examples[0]?.payload);

  it.each([fromFeed, fromHook])('are accepted by the SDK of CloudEvents: $type', (payload) => {
    const headers = { 'content-type': 'application/cloudevents+json' };
    const read = HTTP.toEvent({ headers, body: JSON.stringify(payload) }) as CloudEvent<unknown>;
    expect(read.validate()).toBe(true);
    expect(read.toJSON()).toEqual(payload);
    expect(() => new CloudEvent({ ...(payload as object), source: '' })).toThrow();
  });

  it('are those of docs/feed.md', () => {
    const page = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
    const shown = [...page.matchAll(/^ {4}(\{"specversion"[\s\S]*?\})$/gm)].map(([, text = '']) => JSON.parse(text));
    expect(shown).toEqual([fromFeed, fromHook]);
  });
});

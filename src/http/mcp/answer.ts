import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Viewer } from '#domain/user/roles.ts';
import type { Engine } from '../engine/engine.ts';
import type { PostAttempt } from '../engine/types.ts';
import type { Origins } from '../server/origin.ts';
import type { Tool } from './tools.ts';

export interface McpCall extends ToolParts {
  readonly tools: readonly Tool[];
  readonly caller: Caller;
  /** Called with the log position of a write. */
  readonly onWrite: (position: number) => void;
}

interface Caller {
  readonly viewer: Viewer;
  readonly correlationId: string;
  readonly peer: string;
  readonly attempt: PostAttempt;
}

export interface ToolParts {
  readonly engine: Pick<Engine, 'answer'>;
  readonly origins: Origins | undefined;
}

interface ToolCall extends ToolParts {
  readonly caller: Caller;
  readonly onWrite: (position: number) => void;
}

const instructions = `Posts and pages of a site, with everything that they ever were. Content is HTML with block comments.
What is written is a draft unless the token may publish. \`as_of\` (a date-time or a position) shows how things stood then.
history_undo takes back what you did: first with dry_run, to see what would be done.
Answers have the usual fields; \`_fields\` names others. Further parameters are those of the site's interface.`;

const PART = /^[\w-]{1,200}$/;

export async function answerMessage(request: Request, message: unknown, call: McpCall): Promise<Response> {
  loaded ??= load();
  const { Server, Transport, types, jsonSchemaValidator } = await loaded;
  const server = new Server(
    { name: 'palimpsest', version: '1' },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: call.tools.map(listed) }));
  server.setRequestHandler(types.CallToolRequestSchema, ({ params: { name, arguments: sent = {} } }) => {
    const tool = call.tools.find((one) => one.name === name);
    return tool === undefined ? failed(`There is no tool ${name}.`) : callTool(tool, sent, call);
  });
  const transport = new Transport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

let loaded: ReturnType<typeof load> | undefined;

/** Loaded with the first message: most sites never receive one. */
async function load() {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport: Transport }, { AjvJsonSchemaValidator }, types] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('@modelcontextprotocol/sdk/validation/ajv-provider.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
  return { Server, Transport, types, jsonSchemaValidator: new AjvJsonSchemaValidator() };
}

function listed({ name, description, inputSchema, reads }: Tool) {
  const annotations = { readOnlyHint: reads, destructiveHint: false };
  return { name, description, inputSchema, annotations };
}

/** Carries out a tool by calling its route; returns the response of the route. */
async function callTool(
  { method, path: template, inPath, fields }: Tool,
  sent: Readonly<Record<string, unknown>>,
  { caller, engine, origins, onWrite }: ToolCall,
): Promise<CallToolResult> {
  const wrong = inPath.find((name) => !PART.test(String(sent[name] ?? '')));
  if (wrong !== undefined) return failed(`${wrong} is missing or not valid.`);
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(sent[name]));
  const shown = fields === '' ? {} : { _fields: fields };
  const rest = Object.entries({ ...shown, ...sent }).filter(([name]) => !inPath.includes(name));
  const { viewer, correlationId, peer, attempt } = caller;
  const { reply, position } = await engine.answer({
    method,
    url: path,
    path,
    query: '',
    viewer,
    correlationId,
    peer,
    attempt,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(Object.fromEntries(rest))),
  });
  const text = reply.body.toString('utf8');
  reply.release?.();
  if (position !== null) {
    const via = `MCP, token ${viewer.token?.name ?? ''}`;
    origins?.note?.({ position, correlationId, address: peer, via });
    onWrite(position);
  }
  const totals = pagesIn(reply.head);
  return {
    content: [{ type: 'text', text }, ...(totals === null ? [] : [{ type: 'text' as const, text: totals }])],
    isError: reply.status >= 400,
  };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function pagesIn(head: readonly (string | number)[]): string | null {
  const valueAt = (ending: string) => {
    const at = head.findIndex((name, index) => index % 2 === 0 && String(name).endsWith(ending));
    return at === -1 ? null : String(head[at + 1]);
  };
  const [total, pages] = [valueAt('-Total'), valueAt('-TotalPages')];
  return total === null || pages === null ? null : `${total} in all, on ${pages} pages.`;
}

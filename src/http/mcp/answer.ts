import { type Caller, callTool, failed, type ToolParts } from './call.ts';
import type { Tool } from './tools.ts';

export interface McpCall extends ToolParts {
  readonly tools: readonly Tool[];
  readonly caller: Caller;
  /** Called with the log position of a write. */
  readonly onWrite: (position: number) => void;
}

const instructions = `Posts and pages of a site, with everything that they ever were. Content is HTML with block comments.
What is written is a draft unless the token may publish. \`as_of\` (a date-time or a position) shows how things stood then.
Answers have the usual fields; \`_fields\` names others. Further parameters are those of the site's interface.`;

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

/**
 * The exports of `node:http` used at the start. Importing that module reads all of its exports, including the WebSocket client, which loads
 * all of `fetch`: 30 ms of the start.
 */
export const { Agent, STATUS_CODES, createServer, request } = process.getBuiltinModule('node:http');

/**
 * What is used of `node:http` while a server starts. An import of that module reads each of its exports, the WebSocket
 * client among them, which loads the whole client of `fetch`: 30 ms of a start.
 */
export const { Agent, STATUS_CODES, createServer, request } = process.getBuiltinModule('node:http');

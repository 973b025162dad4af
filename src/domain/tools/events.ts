import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofTheSite } from '#domain/kernel/subject.ts';

export const toolNames = [
  'maintenance_mode',
  'disable_xml_rpc',
  'force_https',
  'force_www',
  'disable_authentication_password',
  'enable_llms_txt',
  'optin_mcp',
] as const;
export type ToolName = (typeof toolNames)[number];

export const ToolsSettingsChanged = defineEvent({
  type: 'ToolsSettingsChanged',
  summary: 'Tools of the site were switched on or off; only changed ones are recorded.',
  schema: z.object({ changes: limited.sized(z.partialRecord(z.enum(toolNames), z.boolean())) }),
});

export const BypassCodeRegenerated = defineEvent({
  type: 'BypassCodeRegenerated',
  summary: 'The code with which visitors bypass the maintenance page was replaced.',
  schema: z.object({ code: limited.word }),
  sealed: ['code'],
  erased: { code: '' },
  subjects: ofTheSite,
});

export const toolsEvents = [ToolsSettingsChanged, BypassCodeRegenerated] as const;
export type ToolsEvent = EventOf<(typeof toolsEvents)[number]>;

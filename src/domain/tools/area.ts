import { defineArea } from '../plugins/area.ts';
import { type ToolName, toolsEvents } from './events.ts';

export type ToolSwitches = Readonly<Record<ToolName, boolean>>;

/** Active tools, and the code that bypasses the maintenance page (`''`: none yet). */
export interface Tools {
  readonly switches: ToolSwitches;
  readonly code: string;
  /** When the code replaced another one, UTC; '': it is the first. */
  readonly codeAt: string;
}

const empty: Tools = {
  switches: {
    maintenance_mode: false,
    disable_xml_rpc: false,
    force_https: false,
    force_www: false,
    disable_authentication_password: false,
    enable_llms_txt: false,
    optin_mcp: false,
  },
  code: '',
  codeAt: '',
};

export const tools = defineArea({
  name: 'host-tools',
  events: toolsEvents,
  empty,
  evolve(state, event, { at }) {
    switch (event.type) {
      case 'ToolsSettingsChanged':
        return { ...state, switches: { ...state.switches, ...event.data.changes } };
      case 'BypassCodeRegenerated':
        return { ...state, code: event.data.code, codeAt: state.code === '' ? '' : at };
      default:
        return event satisfies never;
    }
  },
});

import { html } from '../../../../pages/html.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export function argument(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether something is wanted that can be switched off by `false`. */
export function isOn(args: Arguments, name: string): boolean {
  const value = argument(args, name);
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

/** A link around a text, if one is wanted; the text alone otherwise. */
export function linked(text: string, address: string, args: Arguments): string {
  if (!isOn(args, 'with_link') || address === '') return html`${text}`.markup;
  const target = isOn(args, 'new_tab') ? html` target="_blank" rel="noreferrer noopener"` : null;
  return html`<a href="${address}"${target}>${text}</a>`.markup;
}

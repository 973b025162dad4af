import { flagAt, textAt } from '#text/attributes.ts';
import type { Counters } from '#text/counters.ts';
import type { JsonMap } from '#text/ordered-json.ts';
import { escapeAttribute } from '#text/references.ts';
import { menuColours } from './navigation-look.ts';

const CONTEXT =
  '{"overlayOpenedBy":{"click":false,"hover":false,"focus":false},"type":"overlay","roleAttribute":"","ariaLabel":"Menu"}';

/** Attributes of the outer element of a menu that opens as an overlay. */
export const OVERLAY_HOOKS = `
		 data-wp-interactive="core/navigation" data-wp-context='${CONTEXT}'`;

export function dialog(inside: string, attributes: JsonMap, counters: Counters): string {
  const id = `modal-${counters.next('modal')}`;
  const isAlways = textAt(attributes, 'overlayMenu') === 'always';
  const hasIcon = flagAt(attributes, 'hasIcon') ?? true;
  const overlay = menuColours((name) => attributes.get(name), 'overlay');
  const container = [isAlways ? 'hidden-by-default' : '', ...overlay.classes].filter((name) => name !== '');
  const classes = ['wp-block-navigation__responsive-container', ...container].join(' ');
  const style = overlay.style === '' ? '' : `style="${escapeAttribute(overlay.style.replace(/;$/, ''))}"`;
  const opener = `wp-block-navigation__responsive-container-open${isAlways ? ' always-shown' : ''}`;
  const icon = textAt(attributes, 'icon') === 'menu' ? LINES_ICON : OPEN_ICON;
  return `<button aria-haspopup="dialog" ${hasIcon ? 'aria-label="Open menu"' : ''} class="${opener}" 
				data-wp-on--click="actions.openMenuOnClick"
				data-wp-on--keydown="actions.handleMenuKeydown"
			>${hasIcon ? icon : 'Menu'}</button>
				<div class="${escapeAttribute(classes)}" ${style} id="${id}" 
				data-wp-class--has-modal-open="state.isMenuOpen"
				data-wp-class--is-menu-open="state.isMenuOpen"
				data-wp-watch="callbacks.initMenu"
				data-wp-on--keydown="actions.handleMenuKeydown"
				data-wp-on--focusout="actions.handleMenuFocusout"
				tabindex="-1"
			>
					<div class="wp-block-navigation__responsive-close" tabindex="-1">
						<div class="wp-block-navigation__responsive-dialog" 
				data-wp-bind--aria-modal="state.ariaModal"
				data-wp-bind--aria-label="state.ariaLabel"
				data-wp-bind--role="state.roleAttribute"
			>
							<button ${hasIcon ? 'aria-label="Close menu"' : ''} class="wp-block-navigation__responsive-container-close" 
				data-wp-on--click="actions.closeMenuOnClick"
			>${hasIcon ? CLOSE_ICON : 'Close'}</button>
							<div class="wp-block-navigation__responsive-container-content" 
				data-wp-watch="callbacks.focusFirstElement"
			 id="${id}-content">
								${inside}
								
							</div>
						</div>
					</div>
				</div>`;
}

const OPEN_ICON =
  '<svg width="24" height="24" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M4 7.5h16v1.5H4z"></path><path d="M4 15h16v1.5H4z"></path></svg>';
const LINES_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><path d="M5 5v1.5h14V5H5z"></path><path d="M5 12.8h14v-1.5H5z"></path><path d="M5 19h14v-1.5H5z"></path></svg>';
const CLOSE_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="m13.06 12 6.47-6.47-1.06-1.06L12 10.94 5.53 4.47 4.47 5.53 10.94 12l-6.47 6.47 1.06 1.06L12 13.06l6.47 6.47 1.06-1.06L13.06 12Z"></path></svg>';

import { hash } from 'node:crypto';

/**
 * Runs in an embedded frame: sends the page around it the height of its content and the targets of its links. The messages are
 * those of the reference system; the fragment of the address identifies the frame.
 */
export const frameScript = `(() => {
  const secret = /[?&]secret=(\\w+)/.exec(location.hash)?.[1];
  if (secret === undefined || parent === self) return;
  const say = (message, value) => parent.postMessage({ message, value, secret }, '*');
  const sayHeight = () => say('height', Math.ceil(document.querySelector('main').getBoundingClientRect().bottom) + 18);
  addEventListener('load', sayHeight);
  addEventListener('resize', sayHeight);
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.message === 'ready') sayHeight();
  });
  addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link === null) return;
    event.preventDefault();
    say('link', link.href);
  });
})();`;

/** Runs on the page around frames: sets their height, and follows links within their site. */
export const hostScript = `(() => {
  if (self.embeddedContent) return;
  self.embeddedContent = true;
  addEventListener('message', ({ source, data }) => {
    if (typeof data?.secret !== 'string' || /\\W/.test(data.secret)) return;
    for (const frame of document.querySelectorAll('iframe[data-secret="' + data.secret + '"]')) {
      if (frame.contentWindow !== source) continue;
      if (data.message === 'height') {
        frame.removeAttribute('style');
        frame.height = Math.min(Math.max(Number.parseInt(data.value, 10) || 0, 200), 1000);
        for (const quote of document.querySelectorAll('blockquote[data-secret="' + data.secret + '"]')) quote.hidden = true;
      } else if (data.message === 'link' && document.activeElement === frame) {
        const link = URL.canParse(data.value) ? new URL(data.value) : null;
        if (link !== null && link.origin === new URL(frame.src).origin) location.href = link.href;
      }
    }
  });
})();`;

/** The source by which a content security policy allows the script of frames. */
export const frameScriptSource = `'sha256-${hash('sha256', frameScript, 'base64')}'`;

/**
 * What the page can do besides being read: a slider over the batches of a finding, and buttons that copy commands.
 * Everything is there without it.
 */
export const SCRIPT = `'use strict';
(() => {
  const make = (name, attributes, text) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const status = make('p', { class: 'unseen', role: 'status' });
  document.body.append(status);

  // A page from disk may be refused the clipboard; a selection that is copied then does.
  const copy = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      const selection = getSelection();
      selection.removeAllRanges();
      const range = document.createRange();
      range.selectNodeContents(code);
      selection.addRange(range);
      return document.execCommand('copy');
    }
  };
  for (const code of document.querySelectorAll('code[data-copy]')) {
    const button = make('button', { type: 'button', class: 'copy', 'aria-label': 'Copy: ' + code.textContent }, 'Copy');
    button.addEventListener('click', async () => {
      const done = await copy(code);
      button.textContent = done ? 'Copied' : 'Select it to copy';
      status.textContent = button.textContent;
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    code.after(' ', button);
  }

  for (const steps of document.querySelectorAll('[data-steps]')) {
    const all = [...steps.querySelectorAll('[data-step]')];
    const box = make('div', { class: 'slider' });
    const label = make('label', {}, 'Batch ');
    const range = make('input', { type: 'range', min: 1, max: all.length, value: all.length, step: 1 });
    const previous = make('button', { type: 'button' }, '← Earlier');
    const next = make('button', { type: 'button' }, 'Later →');
    const show = () => {
      const chosen = Number(range.value) - 1;
      all.forEach((step, index) => { step.hidden = index !== chosen; });
      range.setAttribute('aria-valuetext', all[chosen].querySelector('h4').textContent);
      previous.disabled = chosen === 0;
      next.disabled = chosen === all.length - 1;
    };
    const move = (by) => { range.value = Number(range.value) + by; show(); };
    range.addEventListener('input', show);
    previous.addEventListener('click', () => move(-1));
    next.addEventListener('click', () => move(1));
    label.append(range);
    box.append(previous, label, next);
    steps.querySelector('summary').after(box);
    steps.open = true;
    show();
  }

  // On paper nothing can be unfolded.
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
})();
`;

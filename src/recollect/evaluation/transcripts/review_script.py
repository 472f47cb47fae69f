"""Style and script of the review page."""

STYLE = """
:root { --ink: #24292f; --quiet: #6e7781; --line: #d8dee4; --paper: #ffffff; --soft: #f6f8fa; --mark: #0969da;
  color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #d1d7e0; --quiet: #9198a1; --line: #3d444d; --paper: #15191f;
  --soft: #1d232b; --mark: #4493f8; } }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header { position: sticky; top: 0; z-index: 1; padding: .6rem 1.2rem; background: var(--paper);
  border-bottom: 1px solid var(--line); }
header h1 { display: inline; margin: 0 1rem 0 0; font-size: 1rem; }
header p { display: inline; margin: 0 1rem 0 0; color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .4rem 0; }
dd { margin: 0; }
kbd { font: 13px ui-monospace, monospace; }
button { font: inherit; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--soft); color: var(--ink); }
main { max-width: 90rem; margin: 0 auto; padding: 0 1.2rem 40vh; }
h2 { margin: 2.5rem 0 .8rem; font-size: 1.1rem; }
h3 { margin: .6rem 0 .2rem; font-size: .8rem; font-weight: 600; color: var(--quiet); }
h4 { margin: .2rem 0; font-size: 1rem; }
pre { margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; }
summary pre { display: inline; }
.turn { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; padding: .8rem 0;
  border-top: 1px solid var(--line); }
.item, .seen { margin: 0 0 .8rem; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--soft); scroll-margin: 6rem; }
.item p, .seen p { margin: .1rem 0; color: var(--quiet); }
.item.current { outline: 2px solid var(--mark); }
.item .label { color: var(--mark); font-weight: 600; }
.quiet { color: var(--quiet); }
.filtered .item.done, .filtered .empty, .filtered .seen { display: none; }
@media (max-width: 60rem) { .turn { grid-template-columns: 1fr; } }
"""

SCRIPT = """
'use strict';
const LABELS = {
  capture: { u: 'useful', t: 'trivial', j: 'junk or wrong', d: 'duplicate' },
  told: { h: 'helpful', a: 'harmless', i: 'irrelevant', m: 'misleading' },
  expected: { y: 'kept', o: 'partly', x: 'missed' },
};
const items = [...document.querySelectorAll('.item')];
const place = 'recollect-review-' + document.body.dataset.run;
let saved = {};
try { saved = JSON.parse(localStorage.getItem(place)) || {}; } catch (error) { saved = {}; }
let current = -1;

function known(item) {
  const data = item.dataset;
  if (!data.label) return {};
  return { label: data.label, kind_right: data.kindRight !== 'false', title_good: data.titleGood !== 'false' };
}

const states = items.map((item, number) => saved[number] || known(item));

function show(number) {
  const item = items[number], state = states[number], notes = [];
  if (state.label) notes.push(state.label);
  if (state.label && state.kind_right === false) notes.push('kind wrong');
  if (state.label && state.title_good === false) notes.push('title bad');
  item.querySelector('.label').textContent = notes.join(', ');
  item.classList.toggle('done', Boolean(state.label));
}

function count() {
  const done = states.filter((state) => state.label).length;
  document.getElementById('state').textContent = done + ' of ' + items.length + ' labelled';
}

function keep(number) {
  saved[number] = states[number];
  try { localStorage.setItem(place, JSON.stringify(saved)); } catch (error) { /* the files can still be saved */ }
  show(number);
  count();
}

function isHidden(item) { return item.offsetParent === null; }

function go(step) {
  let next = current + step;
  while (items[next] && isHidden(items[next])) next += step;
  if (!items[next]) return;
  if (items[current]) items[current].classList.remove('current');
  current = next;
  items[current].classList.add('current');
  items[current].scrollIntoView({ block: 'center' });
}

function press(key) {
  const item = items[current], state = states[current];
  if (!item) return;
  const type = item.dataset.type, label = LABELS[type][key];
  if (label) {
    state.label = label;
    if (type === 'capture' && state.kind_right === undefined) { state.kind_right = true; state.title_good = true; }
  } else if (type === 'capture' && state.label && key === 'k') state.kind_right = !state.kind_right;
  else if (type === 'capture' && state.label && key === 'l') state.title_good = !state.title_good;
  else if (key === 'Backspace') states[current] = {};
  else return;
  keep(current);
}

function toggleFilter() { document.body.classList.toggle('filtered', document.getElementById('filter').checked); }

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'n') go(1);
  else if (event.key === 'p') go(-1);
  else if (event.key === 'f') {
    const box = document.getElementById('filter');
    box.checked = !box.checked;
    toggleFilter();
  } else press(event.key);
});

function row(item, state) {
  const data = item.dataset;
  if (data.type === 'capture') {
    return { session: data.session, kind: data.kind, rule: data.rule, confidence: Number(data.confidence),
      title: data.title, label: state.label, kind_right: state.kind_right, title_good: state.title_good };
  }
  if (data.type === 'told') {
    return { session: data.session, prompt: data.prompt, injection: state.label, told: data.told,
      tokens: Number(data.tokens) };
  }
  return { session: data.session, should_be_known: data.statement, recall: state.label || null,
    captures: data.captures };
}

const FILES = { 'captures.jsonl': 'capture', 'injections.jsonl': 'told', 'should_be_known.jsonl': 'expected' };

function save(name) {
  const rows = [];
  items.forEach((item, number) => {
    const isWanted = states[number].label || item.dataset.type === 'expected';
    if (item.dataset.type === FILES[name] && isWanted) rows.push(JSON.stringify(row(item, states[number])));
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([rows.join('\\n') + '\\n'], { type: 'application/jsonl' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

document.querySelectorAll('button[data-file]').forEach((button) => {
  button.addEventListener('click', () => { save(button.dataset.file); button.blur(); });
});
document.getElementById('filter').addEventListener('change', toggleFilter);
items.forEach((item, number) => {
  show(number);
  item.addEventListener('click', () => { go(number - current); });
});
count();
current = Math.max(0, states.findIndex((state) => !state.label)) - 1;
go(1);
"""

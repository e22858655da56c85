/** The page's looks: light and dark, narrow and wide, on paper, and in colours that a reader forces. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f6f8; --ink: #1a1d21; --faint: #55606b; --line: #c3c9d0;
  --good: #0b6b3a; --good-ground: #dff3e6; --bad: #a81c1c; --bad-ground: #fde6e4;
  --warn: #7a4b00; --warn-ground: #fdf0d5; --link: #0b57a8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --panel: #1e2327; --ink: #e8eaed; --faint: #a7b0b9; --line: #48515a;
    --good: #6fd39b; --good-ground: #12351f; --bad: #ff9b92; --bad-ground: #471a17;
    --warn: #f0c069; --warn-ground: #3c2d0c; --link: #8fc1ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 0 0 .25rem; }
h4 { font-size: 1rem; margin: .75rem 0 .25rem; }
p, ul { margin: .4rem 0; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
main:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--ground); border: 2px solid var(--link); z-index: 1; }
.faint { color: var(--faint); }
.verdict { display: inline-block; padding: 0 .6rem; border-radius: .3rem; border: 2px solid currentColor; }
.verdict.pass { color: var(--good); background: var(--good-ground); }
.verdict.fail { color: var(--bad); background: var(--bad-ground); }
.verdict.inconclusive { color: var(--warn); background: var(--warn-ground); }
.sentence { font-size: 1.15rem; }
.totals, nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem .5rem; }
.totals li { padding: 0 .6rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--panel); }
nav li + li::before { content: '· '; color: var(--faint); }
.jump { display: inline-block; padding: .3rem .9rem; border: 2px solid var(--bad); border-radius: .3rem; color: var(--bad); font-weight: 600; }
.scroll { position: relative; overflow-x: auto; max-width: 100%; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .92rem; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { border: 1px solid var(--line); padding: .2rem .55rem; text-align: left; vertical-align: top; overflow-wrap: normal; }
td { max-width: 34rem; }
thead th { background: var(--panel); }
tbody th { font-weight: 600; }
td, tbody th { font-variant-numeric: tabular-nums; }
time { white-space: nowrap; }
.number { text-align: right; }
.null { color: var(--faint); font-style: italic; }
.differs { background: var(--bad-ground); color: var(--bad); font-weight: 600; }
[class^='is-'] { white-space: nowrap; }
.is-pass { color: var(--good); } .is-fail { color: var(--bad); font-weight: 600; }
.is-inconclusive { color: var(--warn); font-weight: 600; } .is-skipped { color: var(--faint); }
td.late { color: var(--warn); font-weight: 600; }
.finding, .problem { border: 1px solid var(--line); border-left: .4rem solid var(--bad); border-radius: .3rem; padding: .8rem; margin: 1rem 0; }
.finding.decision, .problem { border-left-color: var(--warn); }
.finding .sign { color: var(--bad); } .finding.decision .sign { color: var(--warn); }
.message { font-weight: 600; }
.pair { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: flex-start; }
.pair > * { flex: 0 1 auto; min-width: 0; }
code, pre { font: .92em/1.45 ui-monospace, monospace; background: var(--panel); border-radius: .2rem; }
code { padding: .1rem .3rem; }
pre { padding: .6rem; overflow: auto; max-height: 20rem; white-space: pre-wrap; }
button { font: inherit; padding: .1rem .7rem; color: var(--ink); background: var(--panel); border: 1px solid var(--faint); border-radius: .3rem; cursor: pointer; }
button:disabled { color: var(--faint); cursor: default; border-style: dashed; }
details { margin: .6rem 0; }
summary { cursor: pointer; font-weight: 600; }
.slider { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; }
.slider label { display: flex; gap: .5rem; align-items: center; flex: 1 1 8rem; max-width: 24rem; }
.slider input { flex: 1; min-width: 4rem; }
figure { margin: .75rem 0; }
figcaption { color: var(--faint); font-size: .92rem; }
svg { display: block; font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .faint, svg .lane { fill: var(--faint); }
svg .tick { text-anchor: middle; fill: var(--faint); font-size: 12px; }
svg .move { text-anchor: end; }
.grid { stroke: var(--line); stroke-dasharray: 2 4; }
.axis { stroke: var(--faint); stroke-width: 1.5; }
.bar path { fill: var(--good-ground); stroke: var(--good); stroke-width: 1; }
.bar .start { stroke: var(--good); stroke-width: 4; }
.bar.wrong path { fill: var(--bad-ground); stroke: var(--bad); stroke-dasharray: 6 3; }
.bar.wrong .start { stroke: var(--bad); }
.bar.wrong text { font-weight: 700; }
.fact { fill: var(--good); } .fact.wrong { fill: none; stroke: var(--bad); stroke-width: 2.5; }
path.late { fill: var(--warn); } text.late { fill: var(--warn); }
svg .money { fill: var(--bad); }
.neighbours { font-size: .92rem; }
@media (max-width: 30rem) {
  body { padding: .6rem; }
  h1 { font-size: 1.3rem; }
  .finding, .problem { padding: .6rem .5rem; border-left-width: .25rem; }
  th, td { padding: .2rem .4rem; }
}
@media (forced-colors: active) {
  .verdict, .bar path, .bar .start { stroke: CanvasText; border-color: CanvasText; }
  .bar path { fill: Canvas; } .fact, path.late, svg .money { fill: CanvasText; } .fact.wrong { stroke: CanvasText; }
  svg text { fill: CanvasText; }
}
@media print {
  :root { --ground: #fff; --panel: #fff; --ink: #000; --faint: #333; --line: #888; --good: #064; --good-ground: #fff;
    --bad: #800; --bad-ground: #eee; --warn: #530; --warn-ground: #fff; --link: #000; }
  body { max-width: none; font-size: 10pt; }
  .skip, nav, .jump, .copy, .slider, .neighbours { display: none; }
  .step[hidden] { display: block; }
  .scroll { overflow: visible; }
  svg { max-width: 100%; height: auto; }
  figure, tr, h3, h4 { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
  pre { max-height: none; }
}
`;

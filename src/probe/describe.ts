import type { Column, Row } from '../contract/columns.ts';
import { type Contract, type Decision, type Field, OPTIONS } from '../contract/contract.ts';
import type { DeclaredContract } from '../contract/declare.ts';
import { formatInstant } from '../contract/instant.ts';
import { contractToJson } from '../contract/print.ts';
import { besideColumns } from '../contract/types.ts';
import { foldState } from '../oracle/typescript/index.ts';
import { jsonRow } from '../runner/evidence-rows.ts';
import type { HeldRow } from '../runner/held-rows.ts';
import type { JsonRow } from '../runner/report.ts';
import { describeColumns } from './columns.ts';
import { optionIn } from './options.ts';
import type { Probed } from './probe.ts';
import type { ProbedField, ProbeEvidence, ProbeReport } from './report.ts';
import type { Question } from './sheet.ts';
import { type Verdict, verdictOf } from './verdict.ts';

const FIELDS = [...(Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]), 'compare', 'keyCompare'] as const;

/** What a probe found out, as a report. */
export function describe(
  probed: Probed,
  declared: DeclaredContract,
  about: Pick<ProbeReport, 'tool' | 'implementation' | 'totalMs'>,
): ProbeReport {
  const fields = FIELDS.map((field) => describeField(probed, declared, field));
  return {
    schema: 1,
    ...about,
    contract: contractToJson(followed(probed, declared, fields)),
    columns: describeColumns(probed.shown, probed.contract, declared.declaredRoles),
    fields,
    notes: probed.notes,
    batches: probed.batches,
  };
}

/** The options that it follows; what is declared, or `strict`, where it follows none. */
function followed(probed: Probed, { contract }: DeclaredContract, fields: readonly ProbedField[]): Contract {
  const own = fields.flatMap(({ field, status, option }): Decision[] =>
    status === 'follows' && option !== null ? [{ field, option }] : [],
  );
  const decisions = own.map(({ field, option }) => [
    field,
    field === 'compare' || field === 'keyCompare' ? probed.contract[field] : option,
  ]);
  return { ...contract, columns: probed.contract.columns, ...Object.fromEntries(decisions) };
}

function describeField(probed: Probed, declared: DeclaredContract, field: Field): ProbedField {
  const own = optionIn(declared.contract, field);
  const none = { alike: [], expected: own, isDeclared: declared.decided };
  const verdict = ofField(probed, field);
  const evidence = (question: Question, follows: string | null) => evidenceOf(probed, question, follows);
  switch (verdict.status) {
    case 'follows':
      return {
        ...none,
        field,
        status: 'follows',
        option: verdict.option,
        alike: verdict.alike,
        reason: remark(verdict.option),
        evidence: verdict.shownBy.map((question) => evidence(question, null)),
      };
    case 'contradicts':
      return {
        ...none,
        field,
        status: 'contradicts',
        option: null,
        reason: null,
        evidence: verdict.shownBy.map((question, at) => evidence(question, verdict.options[at] ?? null)),
      };
    case 'none':
      return {
        ...none,
        field,
        status: 'none',
        option: null,
        reason: null,
        evidence: verdict.shownBy.map((question) => evidence(question, null)),
      };
    case 'not-observable':
      return { ...none, field, status: 'not-observable', option: null, reason: verdict.reason, evidence: [] };
  }
}

function ofField(probed: Probed, field: Field): Verdict {
  const { answers, contract, literals, isBlind, transaction } = probed;
  const change = answers.questions.filter(({ id }) => id === 'change');
  const follows = (option: string): Verdict => ({ status: 'follows', option, alike: [], shownBy: change });
  if (field === 'clock') return follows(isBlind ? 'wall' : contract.clock);
  if (field === 'type') return follows(contract.type);
  if (isBlind)
    return {
      status: 'not-observable',
      reason: 'its stamps are those of a clock, and too coarse to tell loads apart',
    };
  if (field === 'transaction') {
    return transaction === null
      ? { status: 'not-observable', reason: 'it begins no transaction that would show' }
      : { status: 'follows', option: transaction, alike: [], shownBy: [] };
  }
  if (field === 'lateEvidence' || field === 'lateScope') {
    const late = verdictOf(answers, contract, 'late', literals);
    if (late.status === 'none' || (late.status === 'follows' && late.option === 'never'))
      return { status: 'not-observable', reason: 'late loads follow no option' };
  }
  return verdictOf(answers, contract, field, literals);
}

function remark(option: string): string | null {
  return option === 'never' ? 'right only if the source guarantees that it does not happen' : null;
}

function evidenceOf(
  { answers, contract }: Probed,
  question: Question,
  follows: string | null,
): ProbeEvidence {
  const { columns, keyCompare } = contract;
  const only = new Set(question.keys.map((key) => foldState(key, columns.key, keyCompare)));
  const isAbout = (row: Row) =>
    only.has(
      foldState(
        columns.key.map(({ name }) => row[name] ?? null),
        columns.key,
        keyCompare,
      ),
    );
  const trace = answers.trace(question);
  const held = answers.held(question, contract);
  const attributes = [...columns.key, ...columns.tracked, ...columns.untracked];
  return {
    question: question.id,
    words: question.words,
    follows,
    batches: question.feed.batches.map(({ asOf, rows }, at) => {
      const outcome = trace.steps[at]?.outcome;
      return {
        asOf: formatInstant(asOf),
        outcome: outcome?.status ?? null,
        outcomeReason: outcome === undefined || outcome.status === 'applied' ? null : outcome.reason,
        rows: rows.filter(isAbout).map((row) => ({
          values: valuesOf(row, attributes),
          changedAt: columns.changedAt === null ? null : String(row[columns.changedAt.name]),
          isDelete: columns.operation !== null && /^d/i.test(String(row[columns.operation.name])),
        })),
      };
    }),
    rows: [...(held.at(-1) ?? [])].sort(byStart).map((row) => ({
      values: jsonRow(
        [...attributes, ...besideColumns(contract)],
        [...row.key, ...row.tracked, ...row.untracked, ...row.beside],
      ),
      validFrom: row.from === null ? null : formatInstant(row.from),
      validTo: row.to === null ? null : formatInstant(row.to),
      isDeleted: row.isDeleted,
    })),
  };
}

function byStart(a: HeldRow, b: HeldRow): number {
  return (a.from ?? 0n) < (b.from ?? 0n) ? -1 : Number((a.from ?? 0n) > (b.from ?? 0n));
}

function valuesOf(row: Row, attributes: readonly Column[]): JsonRow {
  return jsonRow(
    attributes,
    attributes.map(({ name }) => row[name] ?? null),
  );
}

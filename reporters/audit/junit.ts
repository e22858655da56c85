import type { AuditCheck, AuditFinding, AuditReport } from '../../src/audit/report.ts';
import { renderXml, type XmlElement } from '../junit/xml.ts';
import { visible } from '../text/escape.ts';
import { PLAIN } from '../text/style.ts';
import type { RenderAudit } from './index.ts';
import { keyText, rowTable } from './words.ts';

/** JUnit XML: a test for each check, whose name never changes. What warns, or is known, does not fail. */
export const render: RenderAudit = (report) => {
  const classname = `scd2check.${visible(report.table.name).replaceAll('.', '_')}.audit`;
  const tests = report.checks.map((check) => ({ check, outcome: outcomeOf(check, report) }));
  const countOf = (name: string) => tests.filter(({ outcome }) => outcome?.name === name).length;
  const time = (report.timings.totalMs / 1000).toFixed(3);
  const attributes = {
    tests: tests.length,
    failures: countOf('failure'),
    errors: countOf('error'),
    skipped: countOf('skipped'),
    time,
  };
  const suite: XmlElement = {
    name: 'testsuite',
    attributes: { name: classname, ...attributes },
    children: tests.map(({ check, outcome }) => ({
      name: 'testcase',
      attributes: { classname, name: check.id, time: '0.000' },
      children: outcome === null ? [] : [outcome],
    })),
  };
  return renderXml({
    name: 'testsuites',
    attributes: { name: 'scd2check', ...attributes },
    children: [suite],
  });
};

function outcomeOf(check: AuditCheck, report: AuditReport): XmlElement | null {
  const findings = report.findings.filter(({ check: id }) => id === check.id);
  switch (check.verdict) {
    case 'skipped':
      return element('skipped', { message: visible(check.skipReason!) }, visible(check.skipReason!));
    case 'inconclusive': {
      const message = `${check.id} was never exercised, so it cannot be said to hold.`;
      return element('error', { type: 'inconclusive', message }, message);
    }
    case 'fail': {
      const message = sentenceOf(check, findings);
      return element('failure', { type: check.id, message }, [message, ...findings.map(textOf)].join('\n\n'));
    }
    case 'follows':
      return element('system-out', {}, `All ${check.count} violations follow from those of other checks.`);
    default:
      return findings.length === 0
        ? null
        : element('system-out', {}, [sentenceOf(check, findings), ...findings.map(textOf)].join('\n\n'));
  }
}

function sentenceOf({ id, leading, fresh }: AuditCheck, [first]: readonly AuditFinding[]): string {
  const counts = leading === fresh ? `${leading} violations` : `${leading} violations, ${fresh} of them new`;
  return first === undefined
    ? `${id}: ${counts}.`
    : `${id}: ${counts}; ${keyText(first)}: ${visible(first.message)}`;
}

function textOf(finding: AuditFinding): string {
  return [`${keyText(finding)}: ${visible(finding.message)}`, ...rowTable(finding, 160, PLAIN)].join('\n');
}

function element(name: string, attributes: XmlElement['attributes'], text: string): XmlElement {
  return { name, attributes, children: [text] };
}

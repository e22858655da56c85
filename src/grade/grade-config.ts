/** The section `grade` of the configuration. Everything has a default; without it, the rubric is the seven boundary cases. */
export interface GradeConfig {
  readonly rubric?: readonly RubricItemConfig[];
  /** Of items that do not say themselves; `visible` unless given. */
  readonly visibility?: string;
  /** Name of the file to grade in a submission of several: `solution.sql`. */
  readonly file?: string;
  /** Every history of up to so many batches (default 3). */
  readonly scope?: number;
  /** Random histories (default 200). */
  readonly histories?: number;
  readonly seed?: number;
  /** For a submission, such as `2m`. */
  readonly timeLimit?: string;
  /** For each call, such as `5s`. */
  readonly timeout?: string;
  /** Submissions at a time. */
  readonly threads?: number;
  readonly isolation?: IsolationConfig;
}

export interface RubricItemConfig {
  readonly id?: string;
  readonly title?: string;
  readonly points: number;
  /** Ids; `boundary` for the seven, `project` for the project's own. */
  readonly cases?: readonly string[] | string;
  /** Ids, or the name of a group: `table`, `oracle`, `as-of`, `time`, `repetition`. */
  readonly checks?: readonly string[] | string;
  /** Points by the share of cases or checks that are right (default), or all or none. */
  readonly partial?: boolean;
  /** Points on top, never more than the maximum in all. */
  readonly optional?: boolean;
  readonly visibility?: string;
}

export interface IsolationConfig {
  /** Refuse to grade where bubblewrap cannot work. */
  readonly required?: boolean;
  /** Such as `1GiB`. */
  readonly memory?: string;
  /** Such as `64MiB`. */
  readonly disk?: string;
  /** Processes and threads (default 128). */
  readonly processes?: number;
  /** Files and folders that submissions may read: data of the exercise, an interpreter in a place of its own. */
  readonly readable?: readonly string[];
  /** Environment variables that they get. */
  readonly environment?: readonly string[];
}

const text = { type: 'string', minLength: 1 } as const;
const texts = { anyOf: [text, { type: 'array', items: text, minItems: 1 }] } as const;
const count = { type: 'integer', minimum: 0 } as const;
const positive = { type: 'integer', minimum: 1 } as const;

/** What ajv holds the section against. Names, visibilities and sizes are looked at where they are read, for better messages. */
export const GRADE_CONFIG_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    rubric: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['points'],
        properties: {
          id: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
          title: text,
          points: { type: 'number', exclusiveMinimum: 0 },
          cases: texts,
          checks: texts,
          partial: { type: 'boolean' },
          optional: { type: 'boolean' },
          visibility: text,
        },
      },
    },
    visibility: text,
    file: text,
    scope: count,
    histories: count,
    seed: count,
    timeLimit: text,
    timeout: text,
    threads: positive,
    isolation: {
      type: 'object',
      additionalProperties: false,
      properties: {
        required: { type: 'boolean' },
        memory: text,
        disk: text,
        processes: positive,
        readable: { type: 'array', items: text },
        environment: { type: 'array', items: text },
      },
    },
  },
} as const;

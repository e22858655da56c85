import { COMMANDS } from './commands.ts';
import type { Flag } from './flags.ts';
import { flagsOf } from './help.ts';

/**
 * Completion of commands, of the flags that belong to each, and of files, made from the same tables as the help.
 * Nothing of scd2check runs while somebody types.
 */
export const SHELLS = { bash, zsh, fish } as const;

export type Shell = keyof typeof SHELLS;

const NAMES = COMMANDS.map(({ name }) => name);

function spellings(flags: readonly Flag[]): string {
  return flags.map(({ name }) => `--${name}`).join(' ');
}

function bash(): string {
  const cases = NAMES.map((name) => `    ${name}) flags="${spellings(flagsOf(name))}" ;;`);
  return `_scd2check() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="run" flags
  case " ${NAMES.join(' ')} " in
    *" \${COMP_WORDS[1]} "*) [ "$COMP_CWORD" -gt 1 ] && command="\${COMP_WORDS[1]}" ;;
  esac
  case "$command" in
${cases.join('\n')}
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${NAMES.join(' ')}" -- "$word") $(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _scd2check scd2check
`;
}

function zsh(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const described = (name: string, help: string) => quoted(`${name}:${help.replaceAll(':', '\\:')}`);
  const commands = COMMANDS.map(({ name, help }) => `    ${described(name, help)}`);
  const cases = NAMES.map((name) => {
    const flags = flagsOf(name).map((flag) => `        ${described(`--${flag.name}`, flag.help)}`);
    return `      ${name}) flags=(\n${flags.join('\n')}\n      ) ;;`;
  });
  return `#compdef scd2check
_scd2check() {
  local -a commands flags
  local command=run
  commands=(
${commands.join('\n')}
  )
  (( CURRENT > 2 )) && (( \${+commands[(r)\${words[2]}:*]} )) && command=\${words[2]}
  case $command in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o flag flags
  else
    (( CURRENT == 2 )) && _describe command commands
    _files
  fi
}
compdef _scd2check scd2check
`;
}

function fish(): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const commands = COMMANDS.map(
    ({ name, help }) => `complete -c scd2check -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
  );
  const others = NAMES.filter((name) => name !== 'run').join(' ');
  const flags = NAMES.flatMap((name) => {
    const when =
      name === 'run'
        ? `"not __fish_seen_subcommand_from ${others}"`
        : `"__fish_seen_subcommand_from ${name}"`;
    return flagsOf(name).map(
      (flag) =>
        `complete -c scd2check -n ${when} -l ${flag.name}${flag.value === null ? '' : ' -r'} -d ${quoted(flag.help)}`,
    );
  });
  return `${[...commands, ...flags].join('\n')}\n`;
}

import type { Environment } from './report.ts';

/** Variables in which a CI names itself, its commit, its branch and the address of its build. */
const CIS = [
  {
    name: 'GitHub Actions',
    is: 'GITHUB_ACTIONS',
    commit: 'GITHUB_SHA',
    branch: 'GITHUB_REF_NAME',
    build: (env: NodeJS.ProcessEnv) =>
      env['GITHUB_RUN_ID'] === undefined
        ? null
        : `${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}`,
  },
  {
    name: 'GitLab CI',
    is: 'GITLAB_CI',
    commit: 'CI_COMMIT_SHA',
    branch: 'CI_COMMIT_REF_NAME',
    build: (env: NodeJS.ProcessEnv) => env['CI_JOB_URL'] ?? null,
  },
  {
    name: 'Jenkins',
    is: 'JENKINS_URL',
    commit: 'GIT_COMMIT',
    branch: 'GIT_BRANCH',
    build: (env: NodeJS.ProcessEnv) => env['BUILD_URL'] ?? null,
  },
] as const;

/** Where this process runs. Of the environment's variables only those are read that a CI says of itself. */
export function currentEnvironment(env: NodeJS.ProcessEnv): Environment {
  const ci = CIS.find(({ is }) => (env[is] ?? '') !== '');
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    ci:
      ci === undefined
        ? null
        : {
            name: ci.name,
            commit: env[ci.commit] ?? null,
            branch: env[ci.branch] ?? null,
            build: ci.build(env),
          },
  };
}

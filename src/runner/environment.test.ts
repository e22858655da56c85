import { expect, test } from 'vitest';
import { currentEnvironment } from './environment.ts';

test('a machine that is no CI has none', () => {
  expect(currentEnvironment({ PATH: '/bin' }).ci).toBeNull();
});

test('GitHub, GitLab and Jenkins name their commit, branch and build', () => {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SHA: 'abc',
    GITHUB_REF_NAME: 'main',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'team/repo',
    GITHUB_RUN_ID: '7',
  };
  expect(currentEnvironment(github).ci).toEqual({
    name: 'GitHub Actions',
    commit: 'abc',
    branch: 'main',
    build: 'https://github.example/team/repo/actions/runs/7',
  });
  const gitlab = { GITLAB_CI: 'true', CI_COMMIT_SHA: 'abc', CI_JOB_URL: 'https://gitlab.example/1' };
  expect(currentEnvironment(gitlab).ci).toMatchObject({
    name: 'GitLab CI',
    branch: null,
    build: gitlab.CI_JOB_URL,
  });
  expect(currentEnvironment({ JENKINS_URL: 'https://ci.example/' }).ci).toMatchObject({ name: 'Jenkins' });
});

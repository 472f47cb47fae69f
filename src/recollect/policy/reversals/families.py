"""Names of which usually one is in use at a time: `pnpm` and `yarn` are package managers, Monday and Friday are days.

A statement that wants one name of a family stands against a statement that wants another one.
"""

import re
from typing import NamedTuple


class Family(NamedTuple):
    """Names of one sort.

    `is_choice`: the name itself is what is decided about ("we moved to pnpm"). Otherwise it is a value, and two
    statements have to be about the same thing ("deploys are on Fridays").
    """

    name: str
    is_choice: bool
    members: tuple[str, ...]
    about: tuple[str, ...] = ()
    """Words for what the family does; they do not narrow a statement ("yarn for packages")."""


def _family(name: str, members: str, about: str = "", *, is_choice: bool = True) -> Family:
    return Family(name, is_choice, tuple(members.split(", ")), tuple(about.split()))


def _values(name: str, members: str, about: str = "") -> Family:
    return _family(name, members, about, is_choice=False)


FAMILIES: tuple[Family, ...] = (
    _family("javascript packages", "npm, yarn, pnpm, bun, bower", "package packages manager dependencies"),
    _family(
        "python packages",
        "pip, pip-tools, poetry, pipenv, uv, conda, pdm, rye, hatch, mamba",
        "package packages manager dependencies environments",
    ),
    _family("java builds", "maven, gradle, ant, bazel, sbt", "build builds builder tool"),
    _family("ruby versions", "rbenv, rvm, asdf, mise, chruby", "version versions ruby manager"),
    _family("node versions", "nvm, fnm, volta, asdf, mise", "version versions node manager"),
    _family("task runners", "make, taskfile, rake, invoke, nox, tox", "task tasks runner commands"),
    _family("monorepo tools", "turborepo, turbo, nx, lerna", "monorepo tool builds"),
    _family(
        "relational databases",
        "postgres, postgresql, mysql, mariadb, sqlite, oracle, mssql, sql server, cockroachdb, aurora",
        "database databases db storage data persistence relational",
    ),
    _family("document databases", "mongodb, mongo, couchdb, dynamodb, firestore, cosmosdb, cassandra", "database db"),
    _family("caches", "redis, memcached, valkey, dragonfly, hazelcast", "cache caching sessions"),
    _family(
        "message brokers",
        "kafka, rabbitmq, sqs, nats, pulsar, pubsub, activemq, zeromq, redpanda",
        "queue queues messages messaging broker events",
    ),
    _family("search engines", "elasticsearch, opensearch, solr, meilisearch, typesense, algolia", "search searching"),
    _family(
        "javascript tests", "jest, vitest, mocha, jasmine, ava, karma, node:test", "test tests unit testing runner"
    ),
    _family(
        "browser tests",
        "cypress, playwright, selenium, puppeteer, webdriverio, testcafe",
        "test tests e2e browser end-to-end testing",
    ),
    _family("python tests", "pytest, unittest, nose, nose2", "test tests unit testing runner"),
    _family("java tests", "junit, testng, spock", "test tests unit testing"),
    _family("ruby tests", "rspec, minitest", "test tests specs"),
    _family("javascript linters", "eslint, biome, tslint, jshint, standardjs, oxlint, xo", "lint linting linter rules"),
    _family("python linters", "ruff, flake8, pylint, pycodestyle", "lint linting linter checks"),
    _family("python formatters", "black, yapf, autopep8, ruff format", "format formatting formatter code"),
    _family("javascript formatters", "prettier, biome, dprint", "format formatting formatter code"),
    _family("type checkers", "mypy, pyright, pyre, pytype", "type types checking checker typing"),
    _family(
        "bundlers", "webpack, vite, rollup, parcel, esbuild, rspack, turbopack, snowpack", "bundle bundling bundler"
    ),
    _family(
        "continuous integration",
        "github actions, gitlab ci, circleci, circle ci, jenkins, travis, travis ci, buildkite, azure pipelines, "
        "drone, teamcity, bamboo, woodpecker, concourse",
        "ci builds build pipeline pipelines continuous integration",
    ),
    _family("code hosts", "github, gitlab, bitbucket, gitea, forgejo, codeberg, sourcehut", "code repository hosting"),
    _family("version control", "git, mercurial, svn, subversion, perforce, jujutsu", "version control"),
    _family(
        "hosting",
        "heroku, fly.io, fly, vercel, netlify, railway, digitalocean, hetzner, linode, cloudflare pages",
        "deploy deploys deployment hosting hosted production apps",
    ),
    _family("clouds", "aws, gcp, azure, google cloud, oracle cloud", "cloud provider hosting infrastructure"),
    _family("orchestration", "kubernetes, k8s, nomad, docker swarm, ecs, docker compose", "orchestration containers"),
    _family("containers", "docker, podman, containerd, buildah", "container containers images"),
    _family("infrastructure as code", "terraform, pulumi, cloudformation, opentofu, cdk, bicep", "infrastructure"),
    _family("user interfaces", "react, vue, angular, svelte, solidjs, preact, ember, htmx", "frontend ui framework"),
    _family("site frameworks", "next.js, nextjs, nuxt, remix, astro, gatsby, sveltekit, docusaurus", "framework"),
    _family("node servers", "express, fastify, koa, hapi, nestjs, hono", "server framework http api"),
    _family("python servers", "flask, django, fastapi, starlette, tornado, litestar, bottle", "framework web api"),
    _family("state", "redux, zustand, mobx, recoil, jotai, pinia, vuex", "state store management"),
    _family(
        "styles", "tailwind, bootstrap, bulma, styled-components, emotion, css modules, sass", "css styling styles"
    ),
    _family("object mappers", "prisma, drizzle, typeorm, sequelize, sqlalchemy, knex, mikroorm, peewee", "orm queries"),
    _family("migrations", "alembic, flyway, liquibase, dbmate, goose, sqitch", "migration migrations schema"),
    _family(
        "logging",
        "winston, pino, bunyan, log4j, logback, loguru, structlog, zap, zerolog, logrus",
        "log logging logger",
    ),
    _family("http clients", "axios, fetch, node-fetch, superagent, httpx, aiohttp, urllib3", "http calls"),
    _family("dates", "moment, momentjs, moment.js, date-fns, dayjs, luxon, temporal", "date dates time"),
    _family("validation", "zod, yup, joi, ajv, valibot, marshmallow, pydantic", "validation schema schemas"),
    _family("api styles", "rest, graphql, grpc, trpc, soap, json-rpc", "api apis endpoints"),
    _family(
        "issue trackers",
        "jira, linear, github issues, asana, trello, shortcut, youtrack, basecamp",
        "issue tracker tickets",
    ),
    _family("chats", "slack, discord, mattermost, zulip, rocket.chat", "chat messages"),
    _family(
        "monitoring", "datadog, grafana, new relic, prometheus, honeycomb, splunk", "monitoring metrics dashboards"
    ),
    _family("error reports", "sentry, rollbar, bugsnag, airbrake", "error errors reporting tracking"),
    _family("editors", "vscode, vs code, vim, neovim, emacs, intellij, cursor, zed", "editor ide"),
    _family("sign-in", "auth0, okta, keycloak, cognito, clerk, firebase auth", "auth login authentication"),
    _family("payments", "stripe, paypal, braintree, adyen, paddle, mollie", "payments payment billing invoices"),
    _family("mail", "sendgrid, mailgun, postmark, ses, resend, mailchimp", "mail mails email emails sending"),
    _family(
        "merging",
        "squash, squash merge, squash-merge, rebase, merge commit, merge commits, fast-forward",
        "merge merging merges prs pull requests branches",
    ),
    _family("branching", "trunk-based, gitflow, git flow, github flow", "branching workflow"),
    _family("indentation", "tabs, spaces", "indent indentation code files"),
    _family("quotes", "single quotes, double quotes, backticks", "strings string quotes quote"),
    _family("exports", "default exports, named exports, default export, named export", "modules exports"),
    _family(
        "languages",
        "javascript, typescript, coffeescript, python, ruby, golang, go, rust, java, kotlin, scala, php, c#, elixir",
        "code language written new",
    ),
    _values(
        "days",
        "monday, tuesday, wednesday, thursday, friday, saturday, "
        "sunday, montag, dienstag, mittwoch, donnerstag, "
        "freitag, samstag, sonntag, 月曜日, 火曜日, 水曜日, 木曜日, "
        "金曜日, 土曜日, 日曜日, 月曜, 火曜, 水曜, 木曜, 金曜, 土曜, 日曜",
    ),
    _values(
        "intervals",
        "hourly, daily, weekly, biweekly, fortnightly, monthly, quarterly, "
        "yearly, nightly, täglich, wöchentlich, monatlich, 毎日, 毎週, 毎月",
    ),
    _values(
        "name styles",
        "camelcase, snake_case, snake case, kebab-case, kebab case, "
        "pascalcase, camel case, pascal case, screaming_snake_case",
    ),
    _values("data formats", "json, yaml, toml, xml, csv, parquet, protobuf, msgpack, avro, ini, ndjson"),
    _values(
        "time formats",
        "iso 8601, iso-8601, iso strings, iso, epoch, epoch seconds, epoch millis, "
        "epoch milliseconds, unix timestamps, unix time, rfc 3339, rfc 2822",
    ),
    _values("time zones", "utc, gmt, cet, cest, local time, pst, est, europe/berlin, jst"),
    _values("money", "cents, minor units, floats, decimals, integers, decimal"),
    _values("branches", "main, master, develop, dev, trunk, staging, release"),
    _values(
        "identifiers", "uuid, uuids, ulid, ulids, nanoid, serial ids, auto-increment, snowflake ids, uuidv4, uuidv7"
    ),
    _values("licences", "mit, apache-2.0, apache 2.0, gpl, gplv3, agpl, bsd, mpl, isc"),
    _values(
        "human languages",
        "english, german, french, japanese, spanish, chinese, englisch, deutsch, französisch, 英語, 日本語",
    ),
    _values(
        "switches",
        "enabled, disabled, mandatory, optional, required, forbidden, public, private, "
        "sync, async, synchronous, asynchronous, manual, automatic, automated",
    ),
)

ALIASES = {
    "postgresql": "postgres", "mongo": "mongodb", "k8s": "kubernetes", "circle-ci": "circleci", "travis-ci": "travis",
    "nextjs": "next.js", "fly": "fly.io", "vs-code": "vscode", "momentjs": "moment", "moment.js": "moment",
    "turbo": "turborepo", "golang": "go", "squash-merge": "squash", "merge-commits": "merge-commit",
    "default-export": "default-exports", "named-export": "named-exports", "git-flow": "gitflow", "iso-8601": "iso",
    "iso-strings": "iso", "snake-case": "snake_case", "camel-case": "camelcase", "pascal-case": "pascalcase",
    "uuids": "uuid", "ulids": "ulid", "asynchronous": "async", "synchronous": "sync", "automated": "automatic",
    "apache-2.0": "apache", "unix-timestamps": "epoch", "unix-time": "epoch", "epoch-seconds": "epoch",
    "montag": "monday", "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday", "freitag": "friday",
    "samstag": "saturday", "sonntag": "sunday", "月曜日": "monday", "火曜日": "tuesday", "水曜日": "wednesday",
    "木曜日": "thursday", "金曜日": "friday", "土曜日": "saturday", "日曜日": "sunday", "月曜": "monday",
    "火曜": "tuesday", "水曜": "wednesday", "木曜": "thursday", "金曜": "friday", "土曜": "saturday", "日曜": "sunday",
    "täglich": "daily", "wöchentlich": "weekly", "monatlich": "monthly", "毎日": "daily", "毎週": "weekly",
    "毎月": "monthly", "englisch": "english", "deutsch": "german", "französisch": "french", "英語": "english",
    "日本語": "japanese", "mandatory": "required", "decimal": "decimals",
}  # fmt: skip
"""Other spellings of a name."""


def _joined(member: str) -> str:
    return member.replace(" ", "-")


_FAMILIES_OF: dict[str, tuple[Family, ...]] = {}
for _row in FAMILIES:
    for _member in _row.members:
        _FAMILIES_OF[_joined(_member)] = (*_FAMILIES_OF.get(_joined(_member), ()), _row)
_PHRASES = sorted((member for row in FAMILIES for member in row.members if " " in member), key=len, reverse=True)
_PHRASE = re.compile(r"\b(?:" + "|".join(map(re.escape, _PHRASES)) + r")\b", re.IGNORECASE)


def join_names(text: str) -> str:
    """Return a text in which names of several words are one word: `github-actions`."""
    return _PHRASE.sub(lambda match: _joined(match[0]), text)


def families(word: str) -> tuple[Family, ...]:
    """Return the families that a word, or its singular, is a name of; empty for other words."""
    return _FAMILIES_OF.get(word) or _FAMILIES_OF.get(word.removesuffix("s"), ())


def canonical(word: str) -> str:
    """Return the usual spelling of a name."""
    known = word if word in _FAMILIES_OF else word.removesuffix("s")
    return ALIASES.get(known, known)


def is_language(word: str) -> bool:
    """Whether a word is a programming language: "in python" is a place, too."""
    return any(family.name == "languages" for family in families(word))

"""Activities in the code: tests, style, errors, documentation, structure. Import-light, because hooks use them."""

from recollect.policy.scopes.activity import Activity

CODE_ACTIVITIES = (
    Activity(
        "adding a dependency",
        rules="""
            dependenc*|abhängigkeit*;
            add|adding|introduce|introducing|install|installing|new|pull*|bring*|upgrade|upgrading|bump|bumping
            package|packages|library|libraries|gem|gems|crate|crates|bibliothek*;
            third-party|3rd-party|external|npm|pip|pypi package|packages|library|libraries|module|modules;
            standard+library|stdlib only|first|over|instead|prefer|before;
            prefer|use standard+library|stdlib;
            lockfile|lock+file|lockfiles;
            pin|pinned|exact|pinning version|versions;
        """,
        prompts="""
            add|adding|install|pull+in|bring+in|drop+in|introduce|include|require|need|try|vendor|new|hinzufügen|
            nimm dependency|dependencies|package|library|gem|crate|npm+module|<package>|abhängigkeit|bibliothek
            !<file>;
            ^add|install|pull+in|bring+in|drop+in|grab <package>;
            use|using|switch+to|switch+over+to|migrate+to|move+to|via|through|grab|swap+in|reach+for|with+help+from
            <package>;
            switch|migrate|move|change to <package>;
            replace|swap|exchange <word> with|for|by <package>;
            bump|upgrade|update|downgrade|pin|up <package>|dependency|dependencies|deps|packages|gems|crates;
            npm|yarn|pnpm|bun|pip|pip3|uv|poetry|cargo|bundle|composer|gem|brew|go install|add|get|require|i <word>;
            library|package|gem|crate|module for|that|which|to !<file>;
        """,
        commands="""
            npm install +; npm i +; npm add +; npm update; npm upgrade; yarn add; yarn upgrade; pnpm add; pnpm i +;
            pnpm install +; pnpm update; bun add; bun i +; bun install +; deno add; pip install +; pip3 install +;
            uv add; uv pip install +; poetry add; pipenv install +; pdm add; conda install; rye add; hatch dep;
            go get; cargo add; cargo install; cargo update; gem install; bundle add; bundle update;
            composer require; composer update; dotnet add; nuget install; mvn dependency:get; swift package add;
            pod install; mix deps.get; apt install; apt-get install; brew install; apk add; npx create-;
            npx npm-check-updates; npm-check-updates;
        """,
        files="""
            package.json pyproject.toml requirements*.txt Pipfile setup.cfg go.mod Cargo.toml Gemfile pom.xml
            build.gradle build.gradle.kts *.csproj composer.json Package.swift Podfile mix.exs pubspec.yaml
        """,
    ),
    Activity(
        "writing tests",
        rules="""
            write|writing|add|adding|new|every|each|unit|integration|e2e|end-to-end|regression|missing|need|needs|
            without|in|no|with test|tests !run|running|runs|suite;
            test|tests|specs go|live|sit|belong|must|should|use|uses|are|need|named|beside|next|always|never|hit|
            touch|schreiben !run|running|runs|suite|passes|pass;
            mock|mocks|mocking|mocked|stub|stubs|fixture|fixtures|snapshot+test*|snapshots|coverage|testcontainers|
            tdd|assertion*|table-driven|factory_bot|testing;
        """,
        prompts="""
            add|write|create|need|missing|more|update|extend|new|generate|without|some|schreib|schreibe|fix test|
            tests|spec|specs|unit+test|unit+tests|test+case|test+cases|e2e !run|running|passes|data|account|server;
            ^test|cover|mock|stub this|that|the|it|these|those|our;
            test+coverage|regression+test|tdd|cover+it+with|covered+by|mock+out|test+it|unit-test|with+tests|
            and+tests;
            increase|improve|raise coverage;
        """,
        files="""
            *_test.go test_*.py *_test.py conftest.py *.test.ts *.test.tsx *.test.js *.test.jsx *.spec.ts *.spec.tsx
            *.spec.js *_spec.rb *_test.rb *Test.java *Tests.java *Test.kt *Tests.cs *Test.php *_test.exs *_test.rs
            *Tests.swift tests/** __tests__/** spec/** e2e/** cypress/**
        """,
    ),
    Activity(
        "running tests",
        rules="""
            run|running|runs|execute|start test|tests|suite|pytest|jest|vitest|specs;
            test+suite|full+suite|whole+suite|test+command|flaky;
        """,
        prompts="""
            run|rerun|re-run|execute|start test|tests|suite|pytest|jest|vitest|specs|them+all;
            do|are|make|check|see|whether|if|get tests|suite pass|passing|green|fail;
        """,
        commands="""
            pytest; tox; nox; npm test; npm t; npm run test; yarn test; pnpm test; bun test; jest; vitest; mocha;
            playwright test; cypress run; go test; cargo test; cargo nextest; mvn test; mvn verify; gradle test;
            gradlew test; rspec; phpunit; artisan test; dotnet test; make test; make check; ctest; mix test;
            swift test; manage.py test; rails test; rake test; deno test; bazel test; just test; task test; ginkgo;
        """,
    ),
    Activity(
        "logging",
        rules="""
            log|logs|logging|logger|loggers|console.log|println|printf|structlog|slog !log+in|git+log|log+out;
            print+statement*|print+statements|structured+logging|log+level*|log+levels;
        """,
        prompts="""
            add|more|some|debug|better|improve|put|insert|remove|use|need log|logs|logging|logger|print+statements|
            print|console.log|tracing !in|git;
            ^log|print|trace the|each|every|all|when|errors|out|how|what|whenever|if|it|this;
            log+line|log+lines|log+message|log+statement|log+statements|structured+logging|instrument;
        """,
    ),
    Activity(
        "handling errors",
        rules="""
            error+handling|exception+handling|try/catch|try-catch|bare+except|except+exception|panic|panics|unwrap|
            retry|retries|result+type|fehlerbehandlung;
            handle|handling|wrap|wrapping|wrapped|swallow*|catch*|raise|raising|throw*|return*|report* error|
            errors|exception|exceptions|err;
            errors|exceptions must|should|are|always|never|get;
        """,
        prompts="""
            error+handling|exception+handling|try/catch|try-catch|error+boundary;
            add|implement|with|needs|need|should|want|and retry|retries|fallback|backoff !test|tests|spec;
            handle|handling|catch|wrap|raise|throw|swallow|return|surface error|errors|exception|exceptions|
            failure|failures|timeout|timeouts|edge+case|edge+cases;
            what|gracefully if|when fails|fail|failing|missing|timeout|down;
        """,
    ),
    Activity(
        "naming things",
        rules="""
            naming|camelcase|snake_case|kebab-case|pascalcase|screaming_snake_case|hungarian;
            name|names|named|called|prefix|prefixed|suffix|suffixed function*|class*|variable*|file|files|
            component*|table*|column*|branch*|test*|method*|service*|interface*|type*|event*|flag*;
            function*|class*|variable*|files|component*|table*|column*|method*|service*|interface*|events name|
            names|named|called|prefix*|suffix*;
        """,
        prompts="""
            rename|naming;
            name|call it|this|them|the|that what|something|like;
            what|how should|do|to call|name;
            good|better|new name|names for;
        """,
    ),
    Activity(
        "formatting and style of code",
        rules="""
            code+style|style+guide|formatting|formatter|indent|indentation|tabs|semicolon|semicolons|line+length|
            trailing+comma*;
            type+hint*|type+hints|type+annotation*|docstring|docstrings|default+export*|default+exports|
            named+export*|named+exports|single+quotes|double+quotes|arrow+functions|early+return*|guard+clauses|
            magic+numbers|global+variables|wildcard+imports|star+imports|absolute+imports|relative+imports|
            any+type|f-strings|dataclasses;
            function|functions|file|files|modules|lines under|below|than|exceed|longer|at+most|characters|max*;
            lint|linter|linting|eslint|prettier|black|ruff|gofmt|rustfmt|rubocop|checkstyle|ktlint|clang-format;
            never|no|avoid|don't|not use any|var|goto|eval|globals|inheritance|classes|else|ternaries|comments;
            prefer|use|always const|composition|async/await|async|functional|immutable|immutability|let|hooks|
            pathlib;
        """,
        prompts="""
            format|reformat|lint|prettier|code+style|style+guide|indent|indentation;
            clean+up|tidy|tidy+up code|function|class|module|file|imports|this;
        """,
        commands="""
            eslint; prettier; black; ruff; gofmt; rustfmt; cargo fmt; rubocop; npm run lint; npm run format;
            make lint;
        """,
        files="""
            *.py *.ts *.tsx *.js *.jsx *.mjs *.go *.rs *.java *.kt *.swift *.rb *.php *.cs *.c *.cc *.cpp *.h *.hpp
            *.scala *.ex *.exs *.dart *.vue *.svelte
        """,
    ),
    Activity(
        "writing documentation",
        rules="""
            docs|documentation|readme|dokumentation|adr|adrs|runbook+docs|jsdoc|tsdoc|godoc|rustdoc|sphinx|mkdocs;
            document|documenting|documented every|each|all|public|new|the;
            comment|comments|commenting why|what|explain|in+english|in|code;
        """,
        prompts="""
            readme|docs|documentation|adr|docstring|docstrings|jsdoc|dokumentation|user+guide|tutorial|how-to;
            ^document|describe|explain the|this|how|it|our|that in docs|readme|wiki|comments|file;
            ^document|comment the|this|how|it|our|that|these;
            add|write|update|more|explain comment|comments|changelog|guide;
        """,
        files="""
            *.md *.mdx *.rst *.adoc docs/** doc/** README*
        """,
    ),
    Activity(
        "refactoring",
        rules="""
            refactor|refactors|refactoring|refactorings|rewrites|rewrite|drive-by|restructur*;
        """,
        prompts="""
            refactor|restructure|rewrite|deduplicate|simplify|modularize|decouple;
            ^extract|split|inline|move|pull+out <word> into|out|to|up helper|module|function|class|file|files|
            component|hook|package|service;
            clean+up|tidy code|module|function|class|mess|this;
        """,
    ),
    Activity(
        "changing generated code",
        rules="""
            generated|autogenerated|auto-generated|codegen|protobuf|protobufs|protos|grpc+stubs|protoc;
        """,
        prompts="""
            proto|protos|protobuf|codegen|regenerate|generated+code|generated+client|generated+types|.proto|grpc;
        """,
        commands="""
            protoc; buf generate; make generate; go generate; graphql-codegen; openapi-generator; npm run codegen;
        """,
        files="""
            generated/** gen/** __generated__/** *.pb.go *_pb2.py *.generated.ts *.g.dart *.proto
        """,
    ),
    Activity(
        "implementing a feature",
        rules="""
            implement|implementing|coding|writing+code|write+code|code+changes|new+feature|new+features|
            big+change*|large+change*|non-trivial before|first|plan|ask|behind|every|all|need*|must|without;
            before|when|whenever implementing|implement|coding|writing+code|starting+work|touching+code|building;
            plan first|before|approv*;
            feature+flag|feature+flags;
        """,
        prompts="""
            ^implement|develop;
            implement|build|add|develop|create|ship|code feature|functionality|support+for|flow|integration|
            capability;
            new+feature|next+feature|work+on;
        """,
    ),
    Activity(
        "caching",
        rules="""
            cache|caches|caching|cached|memoi*|ttl|ttls;
        """,
        prompts="""
            cache|caching|memoize|memoise|cached;
            ttl|invalidate|invalidation;
        """,
    ),
    Activity(
        "background jobs",
        rules="""
            background+job*|background+jobs|cron|crons|cronjob*|celery|sidekiq|bullmq|job+queue|worker+process|
            workers|idempoten*|queue|queues|queued|consumer|consumers;
            jobs must|should|are|always|never|need;
        """,
        prompts="""
            background+job|background+jobs|cron|cronjob|celery|sidekiq|bullmq|nightly+job|scheduled+job|
            scheduled+task|async+task|job+queue|queue|worker|consumer|in+the+background;
            add|create|build|make|write|implement|introduce|expose|new|need|want|define|design|set+up|expand|
            extend|run job|jobs|nightly|hourly|daily+task;
        """,
        files="""
            jobs/** workers/** tasks/** consumers/**
        """,
    ),
)

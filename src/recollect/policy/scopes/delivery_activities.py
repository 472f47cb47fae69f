"""Activities around the code: git, reviews, releases, infrastructure, settings.

Import-light, because hooks use them.
"""

from recollect.policy.scopes.activity import Activity

DELIVERY_ACTIVITIES = (
    Activity(
        "committing",
        rules="""
            commit|commits|committing|commit+message|commit+messages|conventional+commits|committe|committen|
            commits+signed|signed-off-by|co-authored-by|changelog|changelog.md;
        """,
        prompts="""
            ^commit|committe;
            commit this|it|these|that|everything|now|your|my|all|work|changes|and+push|them|what|as|with|when|
            after|staged;
            make|create|do|a|write commit|commits|commit+message !last|previous|latest|which|which+commit|first|
            revert;
            check+it+in|check+in+the|git+commit|save+the+changes+to+git;
        """,
        commands="""
            git commit;
        """,
    ),
    Activity(
        "pushing",
        rules="""
            push|pushes|pushing|pushed|force-push|force-pushing|force+push|--force|force-with-lease|pushe|pushen
            !notification*|notifications|back|push-notification*;
        """,
        prompts="""
            ^push|pushe !notification|notifications|back|item|items|array|stack|list|onto|value|element;
            push it|this|to|up|branch|changes|and|now|origin|main|everything|them|that|your|remote !notification|
            notifications|back|for|harder|array|list|stack|item|items;
            and|then|force|git|force-push|can push|force-push !notification|notifications|back|item|items|array;
        """,
        commands="""
            git push;
        """,
    ),
    Activity(
        "opening a pull request",
        rules="""
            pr|prs|pull+request|pull+requests|merge+request|merge+requests|mr|mrs|pr+description*|changelog|
            changelog.md;
        """,
        prompts="""
            open|create|make|raise|submit|draft|send|put+up|file|prepare|need|update|write|start pr|pull+request|
            merge+request|mr|pr+description;
            ^pr|pull+request;
        """,
        commands="""
            gh pr create; gh pr edit; glab mr create; hub pull-request; az repos pr create;
        """,
    ),
    Activity(
        "branching and merging",
        rules="""
            branch|branches|branching|feature-branch*|trunk-based|worktree|worktrees|git-flow|gitflow;
            merge|merges|merging|rebase|rebasing|squash|squashing|fast-forward|cherry-pick|cherry-picking
            !merge+conflict+markers;
            main|master directly|protected|linear|straight|history;
        """,
        prompts="""
            create|new|make|start|cut|checkout|switch|open|delete|on+a branch|worktree;
            merge|rebase|squash|cherry-pick|cherry+pick branch|main|master|it|this|pr|into|onto|commits|with|on|
            develop|back;
            ^branch|merge|rebase|squash off|it|this|main|the|onto|from|commits;
        """,
        commands="""
            git checkout -b; git switch -c; git switch --create; git branch; git merge; git rebase; git cherry-pick;
            gh pr merge; glab mr merge; git worktree add;
        """,
    ),
    Activity(
        "reviewing code",
        rules="""
            code+review|code+reviews|reviewer|reviewers|review+comment*|reviewing|codeowners;
            review|reviews|reviewed|approval|approvals|approved pr|prs|before|by|needs|need|two|all|every|must|
            from|code;
        """,
        prompts="""
            code+review|review+comments|review+feedback;
            review this|my|the|our|that|these|his|her|their pr|code|diff|change|changes|branch|commit|commits|
            patch|mr|pull+request|implementation;
            ^review|look+over <word>;
        """,
        commands="""
            gh pr review; glab mr approve; gh pr checkout;
        """,
    ),
    Activity(
        "deploying and releasing",
        rules="""
            deploy|deploys|deploying|deployed|deployment|deployments|release|releases|releasing|ship|shipping|
            rollout|rollouts|rollback|rollbacks|hotfix|hotfixes|go+live|canary|publish|publishing|deploye|deployen|
            ausrollen|freigabe|changelog;
            to|into|on|touch|push*|directly|against production|prod !database|postgres|mysql;
            version+bump|bump+the+version|semver|git+tag|tagging;
        """,
        prompts="""
            deploy|redeploy|rollout|roll+out|roll+it+out|hotfix|rollback|roll+back|go+live|deploye|ausrollen
            !failed|failing|why|log|logs|script;
            roll this|it|that|them|change|changes out !<file>;
            ^ship|release|publish|promote|tag;
            ship|release|publish|promote it|this|to|a|the|new|version|today|now|package|v1|v2|patch !notes|note|
            button|lock;
            get|put|push|take|bring|send this|it|that|changes|fix out|live|production|prod|staging;
            push|ship|move|promote|get|goes|go to+production|to+prod|to+staging|into+production|into+prod|live;
            cut|make|do|create|prepare|start|new release|hotfix|tag !notes|html|meta;
            bump|raise|increase version !<package>|python|node|go;
        """,
        commands="""
            kubectl apply; kubectl rollout; helm upgrade; helm install; terraform apply; pulumi up; cdk deploy;
            sam deploy; npm publish; yarn publish; pnpm publish; cargo publish; twine upload; uv publish;
            poetry publish; gem push; fly deploy; flyctl deploy; vercel; netlify deploy; gh release create;
            docker push; cap production deploy; serverless deploy; sls deploy; ansible-playbook; eb deploy;
            gcloud app deploy; gcloud run deploy; heroku; goreleaser; make deploy; make release; npm run deploy;
            npm run release; npm version; firebase deploy; wrangler deploy; git tag; kamal deploy; argocd app sync;
            skaffold run; aws s3 sync; aws ecs update-service; just deploy; task deploy; dotnet publish;
            git push heroku;
        """,
        files="""
            CHANGELOG* VERSION
        """,
    ),
    Activity(
        "changing infrastructure",
        rules="""
            terraform|terragrunt|pulumi|cloudformation|kubernetes|k8s|kubectl|helm|infrastructure|infra|iam|
            ansible|security+group*|s3+bucket*;
        """,
        prompts="""
            terraform|terragrunt|pulumi|cloudformation|kubernetes|k8s|helm|infrastructure|infra|iam|ansible|
            ingress|security+group|s3+bucket|load+balancer|vpc|autoscaling|replicas;
        """,
        commands="""
            terraform; tofu; terragrunt; pulumi; kubectl; helm; ansible-playbook; aws cloudformation; cdk;
        """,
        files="""
            *.tf *.tfvars terraform/** infra/** k8s/** helm/** charts/** kustomization.yaml ansible/**
        """,
    ),
    Activity(
        "changing containers",
        rules="""
            docker|dockerfile|dockerfiles|container|containers|docker-compose|compose+file|base+image*|base+images|
            podman;
        """,
        prompts="""
            dockerfile|docker-compose|dockerize|dockerise|containerize|containerise|base+image|compose+file|
            docker+image|docker+compose|podman;
            docker|container add|build|change|update|new|run|set+up|smaller;
        """,
        commands="""
            docker build; docker compose; docker-compose; docker run; podman build;
        """,
        files="""
            Dockerfile Dockerfile.* *.Dockerfile docker-compose*.yml docker-compose*.yaml compose.yml compose.yaml
        """,
    ),
    Activity(
        "changing the CI",
        rules="""
            ci|ci/cd|github+actions|github+action|gitlab-ci|gitlab+ci|jenkins|jenkinsfile|circleci|buildkite|
            ci+pipeline|build+pipeline|workflow+file*|workflow+files|pre-commit|precommit;
        """,
        prompts="""
            add|change|update|fix|set+up|speed+up|write|create|make|move|in|new|to|extend ci|github+action|
            github+actions|gitlab+ci|gitlab-ci|jenkinsfile|circleci|ci+pipeline|build+pipeline|ci/cd|workflow+file|
            pre-commit+hook;
        """,
        files="""
            .github/workflows/** .github/actions/** .gitlab-ci.yml Jenkinsfile .circleci/** .buildkite/**
            azure-pipelines.yml .travis.yml .pre-commit-config.yaml bitbucket-pipelines.yml
        """,
    ),
    Activity(
        "secrets",
        rules="""
            secret|secrets|credential|credentials|api+key|api+keys|password|passwords|passwort*|private+key*|
            zugangsdaten|.env|service+account*;
            token|tokens never|hardcode*|commit*|store*|in+the+vault|log;
        """,
        prompts="""
            secret|secrets|credential|credentials|api+key|api+keys|private+key|access+key|.env|access+token|
            auth+token|service+account|webhook+secret;
            add|set|put|store|change|rotate|use|hardcode|save|move|read password|token|passwords|tokens !design|
            csrf;
        """,
        commands="""
            vault; aws secretsmanager; kubectl create secret; gh secret set; heroku config:set; op read; sops;
        """,
        files="""
            .env .env.* *.env *.pem *.key secrets/** credentials*.json *.tfvars
        """,
    ),
    Activity(
        "configuration",
        rules="""
            env+var|env+vars|environment+variable|environment+variables|config+file|config+files|configuration|
            settings+file|feature+flag|feature+flags|umgebungsvariable*;
            config|settings must|should|lives|goes|go|belongs|via|through|only|always|never|read;
        """,
        prompts="""
            env+var|env+vars|environment+variable|environment+variables|config+file|config+option|feature+flag|
            feature+flags|umgebungsvariable;
            add|make|set|change|new|expose|move|read|introduce config|configuration|configurable|setting|settings|
            option !page|screen|ui|menu;
        """,
        files="""
            config/** settings.py settings/** application.yml application.yaml application.properties
            appsettings*.json values.yaml config.yml config.yaml config.toml .env.example
        """,
    ),
)

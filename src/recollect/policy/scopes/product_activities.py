"""Activities on what the product does: data, interfaces, users, money. Import-light, because hooks use them."""

from recollect.policy.scopes.activity import Activity

PRODUCT_ACTIVITIES = (
    Activity(
        "changing the database schema",
        rules="""
            migration|migrations|migrate|alembic|flyway|liquibase;
            schema change|changes|changing|database|db|migration*;
            change*|changing|alter* schema|schemas;
            add|adding|drop|dropping|rename|renaming|remove|new|alter* column|columns|table|tables !csv|ui|markdown;
            column|columns|table|tables must|should|need|needs|have|has|get|gets|always|never|snake_case|named
            !csv|ui;
            foreign+key*|primary+key*|create+index|not+null|nullable;
        """,
        prompts="""
            migration|migrations;
            add|adding|drop|remove|rename|new|create|make|alter|split|delete column|columns|foreign+key|
            foreign+keys|unique+constraint|nullable !csv|grid|report|spreadsheet|excel|dashboard|page|ui|board|
            layout|css|markdown|html;
            add|create|need|missing index|indexes on|for !search|page|html|site;
            create|new|add|drop|rename|make table|tables !markdown|readme|html|ui|page|report|csv|component|react|
            css|contents|docs|hash;
            schema add|change|update|migrate|alter|extend;
            add|change|update|alter|extend|modify schema;
            backfill|denormalize|normalise+the|normalize+the+table;
            store|persist|save|keep <word> in database|db|postgres|mysql|table;
            add <word> to user|users|order|orders|customer|customers|account|accounts model|table|entity;
            new|add field to|on model|entity|table|schema;
        """,
        commands="""
            alembic; prisma migrate; prisma db push; rails generate migration; rails g migration; rails db:migrate;
            rake db:migrate; manage.py makemigrations; manage.py migrate; django-admin makemigrations; flyway;
            liquibase; knex migrate:make; knex migrate:latest; sequelize db:migrate; goose; dbmate; typeorm;
            dotnet ef; diesel migration; sqlx migrate; supabase migration; drizzle-kit; atlas migrate;
            migrate create; artisan migrate; artisan make:migration; mix ecto.migrate; mix ecto.gen.migration;
            flask db;
        """,
        files="""
            *.sql migrations/** migration/** db/migrate/** alembic/versions/** schema.prisma schema.rb
            prisma/schema/** changelog/db/**
        """,
    ),
    Activity(
        "querying the database",
        rules="""
            query|queries|sql|orm|n+1|querying !react|tanstack|parameter|parameters|params|string|client|strings;
            select+star|select+*|raw+sql|prepared+statement*|transaction|transactions|repository+layer|repositories;
        """,
        prompts="""
            query|queries|sql|orm|n+1 !react|tanstack|parameter|parameters|params|string|client|param;
            fetch|load|read|select|get|look+up|count|list|join from+the+database|from+the+db|in+the+database|
            from+postgres|rows|records;
            transaction|transactions wrap|in|add|use;
            wrap|in+a|add|use transaction|transactions;
        """,
        commands="""
            psql; mysql; sqlite3; mongosh; mongo; sqlcmd; duckdb; bq query; clickhouse-client;
        """,
        files="""
            *.sql
        """,
    ),
    Activity(
        "deleting data",
        rules="""
            soft+delete*|soft-delete*|hard+delete*|hard-delete*|tombstone*;
            delete|deleting|deleted|remove|drop|truncate|purge|wipe|erase data|rows|row|records|record|users|
            customers|database|tables|backups|löschen;
            destructive|irreversible;
        """,
        prompts="""
            delete|deleting|remove|drop|purge|wipe|clean+up|cleanup|truncate|erase|clear data|rows|records|users|
            accounts|customers|orders|database|db|entries|table|tables|bucket|backups|old+data|everything !<file>|
            unused|import*;
            delete|deletion|remove user|account|customer|order|record|row endpoint|button|feature|flow|api;
        """,
        commands="""
            dropdb; rm -rf; rm -fr; rm -r; redis-cli flushall; redis-cli flushdb; aws s3 rm; aws s3 rb; gsutil rm;
            kubectl delete; terraform destroy; docker volume rm; docker system prune; rails db:drop; rails db:reset;
            rake db:drop; manage.py flush; prisma migrate reset; git clean;
        """,
    ),
    Activity(
        "changing the API",
        rules="""
            endpoint|endpoints|endpunkt*|openapi|swagger|graphql|rest+api|public+api|webhook|webhooks;
            new|every|each|all|any|add|adding|breaking|change|changing|version* api|apis|route|routes|handler|
            handlers|controller|controllers;
            api|apis|route|routes|handlers|controllers must|should|return|returns|need|needs|version*|validate|
            always !key|keys|account|token|limited;
            response|responses|request+body|request+bodies|payload|payloads envelope|shape|json|format|wrapped|
            validate*|camelcase|snake_case|contain|include|return*;
            status+code|status+codes|pagination|paginate*|paginated|rate+limit|rate+limiting|breaking+change*;
        """,
        prompts="""
            endpoint|endpoints|endpunkt|webhook|webhooks;
            add|create|build|make|write|implement|introduce|expose|new|need|want|define|design|set+up|expand|
            extend|change|update|rename|remove|version route|routes|rest+api|api|apis|handler|controller|resolver|
            mutation !key|keys|token|docs|documentation;
            get|post|put|patch|delete <path>;
            return|expose|accept|respond|send <word> json|api|response|over+http;
            paginate|pagination|openapi|swagger|status+code|status+codes;
            graphql query|mutation|schema|field|resolver|type;
        """,
        files="""
            routes/** api/** controllers/** handlers/** endpoints/** resolvers/** openapi*.yaml openapi*.yml
            openapi*.json swagger*.json *.graphql *_controller.rb *Controller.java *.controller.ts urls.py routes.rb
        """,
    ),
    Activity(
        "calling other services",
        rules="""
            http+client|http+clients|outgoing|outbound|external+service*|external+services|external+api*|
            external+apis|third-party+api*|third-party+service*|circuit+breaker*|upstream+service*|network+call*|
            network+calls;
            timeout|timeouts every|each|all|http|request*|call*|client*|must|always;
            every|each|all http|network|external|outgoing call|calls|request|requests;
        """,
        prompts="""
            http+request|http+requests|http+call|http+client|third-party+api|external+api|external+service|
            api+client|sdk;
            call|hit|integrate|integration|talk+to|connect+to|fetch|pull|query|sync|send api|stripe|slack|twilio|
            github|salesforce|hubspot|paypal|shopify|jira|google+maps|openai|s3|sendgrid|mailgun|weather+service|
            geocoding|upstream;
            integrate|integration with|for|of;
        """,
    ),
    Activity(
        "user-facing text and translations",
        rules="""
            translat*|i18n|l10n|locali*|locale|locales|internationali*|übersetz*|gettext;
            user-facing|user+facing|visible|ui|hardcode*|hard-code*|interface text|texts|string|strings|copy|
            message|messages|wording;
            microcopy|sentence+case|title+case|tone+of+voice|gender-neutral|informal+du|formal+sie;
        """,
        prompts="""
            translat*|i18n|l10n|locali*|locale|locales|übersetz*;
            add|create|build|make|write|implement|introduce|expose|new|need|want|define|design|set+up|expand|
            extend|change|update|fix|move|rework|redesign|improve|adjust|tweak|replace|remove|refactor|style|show|
            put|reword label|labels|tooltip|copy|wording|placeholder|button+text|heading|headline|error+message|
            toast|banner|notification+text|empty+state|email+template|greeting|caption|call+to+action;
            say|says|read|reads instead|something|button|link|label|page|banner;
        """,
        files="""
            locales/** locale/** i18n/** translations/** lang/** *.po *.strings *.arb *.xliff messages*.json
        """,
    ),
    Activity(
        "working on the user interface",
        rules="""
            css|tailwind|styling|stylesheet*|design+system|design+tokens|accessib*|a11y|aria|wcag|dark+mode|
            responsive|storybook|figma|ui+components|ui+component|mobile-first;
            component|components|button|buttons|modal|modals|dialog|dialogs|form|forms|icon|icons|colour*|color|
            colors|font|fonts must|should|use|uses|from|come|always|never|need|are;
            use|new|every|build|all|our button|buttons|modal|icons|component|components|form|forms|colors|colours;
        """,
        prompts="""
            add|create|build|make|write|implement|introduce|expose|new|need|want|define|design|set+up|expand|
            extend|change|update|fix|move|rework|redesign|improve|adjust|tweak|replace|remove|refactor|style|show|
            put|center|centre|align|resize|hide|animate button|buttons|modal|dialog|form|page|screen|layout|css|
            dropdown|navbar|sidebar|footer|icon|icons|tooltip|component|checkbox|spinner|toast|banner|card|tab|
            tabs|menu|popup|popover|slider|carousel|avatar|badge|logo|widget|landing+page|input+field|date+picker|
            table+view !<file>;
            dark+mode|responsive|tailwind|css|accessib*|a11y|styling|ui|frontend;
        """,
        files="""
            *.css *.scss *.sass *.less *.vue *.svelte *.tsx *.jsx components/** *.html *.erb *.storyboard *.xib
        """,
    ),
    Activity(
        "dates and times",
        rules="""
            utc|timezone|timezones|time+zone|time+zones|timestamp|timestamps|datetime|datetimes|iso+8601|iso-8601|
            iso8601|epoch|zeitstempel|zeitzone*|unix+time;
            date|dates must|should|are|always|never|format*|in|as|stored|use|with !release|due|up+to|deadline;
            datetime.now|date.now|time.now;
        """,
        prompts="""
            timestamp|timestamps|timezone|timezones|time+zone|datetime|utc|expiry|expires_at|created_at|updated_at|
            due+date|deadline|calendar|date+picker|date+range|birthday|zeitstempel|reminder|reminders|iso+8601;
            date|dates !up+to+date|out+of+date|to+date|up-to-date;
            expire|expires|expiring|schedule|scheduled|recurring after|at|in|for|every|on|daily|days|hours|minutes;
        """,
    ),
    Activity(
        "money amounts",
        rules="""
            amount|amounts|money|currency|currencies|cents|minor+units|minor+unit|geldbetr*|beträge|bigdecimal;
            price|prices|invoice|invoices|payment|payments|total|totals|fees|taxes|vat|refunds must|should|are|
            always|never|as|in|stored|float|floats|decimal|integer|integers|rounded|round*;
        """,
        prompts="""
            price|prices|pricing|amount|amounts|invoice|invoices|payment|payments|refund|refunds|discount|
            discounts|coupon|coupons|tax|taxes|vat|fee|fees|currency|currencies|money|payout|payouts|billing|
            surcharge|gratuity|tip+jar|rechnung|preis|betrag;
            cart|order|grand|invoice|sub total|totals;
            subtotal|order+total|shipping+cost|shipping+costs|account+balance|revenue|salary|wallet;
            charge|bill customer|customers|user|users|card|them;
        """,
    ),
    Activity(
        "authentication and permissions",
        rules="""
            auth|authentication|authorization|authorisation|permission|permissions|jwt|oauth|oidc|rbac|csrf|mfa|
            2fa|sso|session+cookie*|access+control|passwords|password+hash*|bcrypt|argon2;
            login|logins|sign-in must|should|need|requires|always|never;
        """,
        prompts="""
            add|create|build|make|write|implement|introduce|expose|new|need|want|define|design|set+up|expand|
            extend|change|update|fix|move|rework|redesign|improve|adjust|tweak|replace|remove|refactor|style|show|
            put login|signin|signup|sign-in|sign-up|log-in !page|screen|logo|button|css;
            auth|authentication|authorization|oauth|jwt|sso|2fa|mfa|rbac|csrf|password+reset|reset+password|
            permission|permissions|access+control|magic+link;
            log|sign user|users|in|up|out !git|error|errors|file|line|message|to;
            admin|role|roles only|users|check|access|restrict|require;
            only|restrict|require admin|admins|role|roles|owner;
        """,
        files="""
            auth/** *auth*.py *auth*.ts *auth*.go *auth*.rb
        """,
    ),
    Activity(
        "personal data",
        rules="""
            pii|gdpr|dsgvo|personal+data|personally+identifiable|personenbezogen*|privacy|anonymi*|pseudonymi*|
            hipaa;
        """,
        prompts="""
            pii|gdpr|dsgvo|personal+data|anonymi*|privacy|user+data|customer+data|tracking|analytics+event*|
            data+export;
            export|log|send|store|share|collect|track email|emails|phone|addresses|names|users|customers|birthdays;
        """,
    ),
)

{% snapshot null_blind %}
{{ config(unique_key='customer_id', strategy='null_blind', check_cols=['segment', 'points']) }}
select * from {{ ref('customers') }}
{% endsnapshot %}

{% snapshot by_the_wall %}
{{ config(unique_key='customer_id', strategy='by_the_wall', check_cols=['segment', 'points']) }}
select * from {{ ref('customers') }}
{% endsnapshot %}

{% snapshot glued_key %}
{{ config(unique_key="segment || street", strategy='check', check_cols=['points']) }}
select * from {{ ref('customers') }}
{% endsnapshot %}
